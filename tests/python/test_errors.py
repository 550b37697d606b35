import traceback

import pytest

from chunk_bakeoff.errors import UserError, plain_errors


@plain_errors
def model(dbt, session):
    """Raises what `dbt` gives, or returns `session`."""
    if dbt:
        raise dbt
    return session


def test_a_result_passes():
    assert model(None, 7) == 7
    assert (model.__name__, model.__doc__[:6]) == ("model", "Raises")


def test_a_mistake_of_the_user_is_told_without_its_traceback():
    with pytest.raises(UserError, match=r"^d\.csv, line 3: mend it$") as raised:
        model(UserError("d.csv, line 3: mend it"), None)
    told = "".join(traceback.format_exception(raised.value))
    assert "File" not in told and told.endswith("d.csv, line 3: mend it\n")


def test_any_other_error_keeps_its_traceback():
    with pytest.raises(ValueError, match="a bug") as raised:
        model(ValueError("a bug"), None)
    assert not isinstance(raised.value, UserError)
    assert "raise dbt" in "".join(traceback.format_exception(raised.value))
