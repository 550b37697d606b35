import pytest

from chunk_bakeoff import references
from chunk_bakeoff.references import FOUR_DECIMALS, Comparison, main


@pytest.mark.parametrize(
    ("expected", "actual", "tolerance", "equal"),
    [
        (72, 72, 0, True),
        (72, 73, 0, False),
        (0.8333, 5 / 6, FOUR_DECIMALS, True),
        (0.8333, 0.8334, FOUR_DECIMALS, False),
        # One of 53 questions is 0.0189: a tolerance never hides it.
        (0.8302, 0.8302 - 1 / 53, FOUR_DECIMALS, False),
        (610, 611, 1, True),
        (610, 611.1, 1, False),
        (1, None, 5, False),
        (1, float("nan"), 5, False),
    ],
)
def test_comparison(expected, actual, tolerance, equal):
    assert Comparison("cargo fixed", "chunks", expected, actual, tolerance).equal is equal


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["/no/such/folder"]])
def test_a_folder_is_needed(arguments):
    with pytest.raises(SystemExit, match=r"usage: python -m chunk_bakeoff\.references FOLDER"):
        main(arguments)


def test_a_folder_without_references(tmp_path):
    with pytest.raises(SystemExit, match="holds neither cargo/ nor lab_handbook/"):
        main([str(tmp_path)])


def reported(tmp_path, monkeypatch, capsys, actual):
    (tmp_path / "cargo").mkdir()
    comparisons = [
        Comparison("cargo fixed", "chunks", 7, 7),
        Comparison("cargo fixed", "mrr", 0.5, actual),
    ]
    monkeypatch.setattr(references, "_cargo", lambda folder: iter(comparisons))
    try:
        main([str(tmp_path)])
    finally:
        lines = capsys.readouterr().out.splitlines()
    return [line.split() for line in lines]


def test_all_equal(tmp_path, monkeypatch, capsys):
    assert reported(tmp_path, monkeypatch, capsys, 0.5) == [
        ["equal", "cargo", "fixed", "chunks", "7.0000", "7.0000"],
        ["equal", "cargo", "fixed", "mrr", "0.5000", "0.5000"],
        ["references:", "2", "numbers", "equal,", "0", "differ"],
    ]


@pytest.mark.parametrize("actual", [0.4, None])
def test_a_difference_ends_the_program(tmp_path, monkeypatch, capsys, actual):
    with pytest.raises(SystemExit) as stopped:
        reported(tmp_path, monkeypatch, capsys, actual)
    assert stopped.value.code == 1
