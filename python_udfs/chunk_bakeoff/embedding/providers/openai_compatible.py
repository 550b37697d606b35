"""Any HTTP endpoint that speaks the OpenAI embeddings protocol (`POST /embeddings`).

The declared `source` gives the tokenizer that counts tokens; `options` are those of `Options`.
"""

from __future__ import annotations

import email.utils
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

import httpx
import numpy as np
import tenacity

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import Encoder, ProviderUnavailable
from chunk_bakeoff.embedding.providers.pacing import Pacer
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.tokens import load_tokenizer

# The texts of the request are not to blame for these.
_NO_ACCESS = {401, 402, 403, 404, 405}
_BUSY = {408, 409, 425, 429}
# Texts refused one after the other, none encoded between them, before the run stops.
REFUSALS_BEFORE_STOP = 3


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a declared model.

    Attributes:
        base_url: up to and without `/embeddings`.
        model: the provider's model id.
        api_key_env: name of the environment variable that holds the key; empty for no key.
        request_texts: most texts in one request.
        request_tokens: most tokens in one request.
        concurrency: most requests at a time. A batch is split into requests, so `batch_tokens`
            should be `concurrency` times `request_tokens`.
        requests_per_minute: 0 for no limit.
        tokens_per_minute: 0 for no limit.
        timeout_seconds: for connecting, and between two pieces of an answer.
        attempts: how often a request is sent before it counts as failed.
        longest_wait_seconds: longest wait between two attempts. A provider that asks for more
            stops the run.
        query_fields: more fields of requests that hold questions, e.g. `{input_type: query}`.
        passage_fields: the same for chunks.
    """

    base_url: str
    model: str
    api_key_env: str = ""
    request_texts: int = 128
    request_tokens: int = 32_768
    concurrency: int = 4
    requests_per_minute: float = 0
    tokens_per_minute: float = 0
    timeout_seconds: float = 60
    attempts: int = 6
    longest_wait_seconds: float = 60
    query_fields: Mapping[str, Any] = field(default_factory=dict)
    passage_fields: Mapping[str, Any] = field(default_factory=dict)


def identity(model: DeclaredModel) -> bytes:
    """See `chunk_bakeoff.embedding.providers.Provider`: the provider's model id."""
    options = _options(model)
    parts = [options.model, dict(options.query_fields), dict(options.passage_fields)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def load(model: DeclaredModel) -> Encoder:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    return OpenAICompatibleEncoder(model, _options(model))


class _Transient(Exception):
    """May succeed when the same request is sent again.

    Attributes:
        retry_after: seconds that the provider asked for.
        texts_to_blame: whether a smaller request may fare better.
    """

    def __init__(
        self, message: str, *, retry_after: float = 0.0, texts_to_blame: bool = True
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.texts_to_blame = texts_to_blame


class RequestFailed(Exception):
    """The provider does not encode these texts."""


class OpenAICompatibleEncoder:
    """Splits a batch into requests and sends some of them at a time."""

    def __init__(self, model: DeclaredModel, options: Options) -> None:
        key = _api_key(model, options)
        self._options = options
        self._name = model.name
        self._dimensions = model.dimensions
        self._secret = key
        self._tokenizer = load_tokenizer(model.tokenizer_source)
        self._pacer = _shared_pacer(
            options.base_url, options.requests_per_minute, options.tokens_per_minute
        )
        self._client = httpx.Client(
            base_url=options.base_url.rstrip("/") + "/",
            timeout=options.timeout_seconds,
            headers={"Authorization": f"Bearer {key}"} if key else {},
        )
        self._refused = 0
        # A failed batch comes back in halves: what was encoded of it is not sent again.
        self._failed: set[tuple[str, str]] = set()
        self._kept: dict[tuple[str, str], np.ndarray] = {}

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """See `chunk_bakeoff.embedding.providers.Encoder`."""
        keys = [(text_kind, text) for text in texts]
        if not self._failed.issuperset(keys):
            self._failed, self._kept = set(keys), {}
        missing = [text for kind, text in dict.fromkeys(keys) if (kind, text) not in self._kept]
        found = dict(self._kept)
        errors: list[Exception] = []
        with ThreadPoolExecutor(self._options.concurrency) as threads:
            requests = list(self._requests(missing))
            sent = [threads.submit(self._request, *request, text_kind) for request in requests]
            for (request, _), future in zip(requests, sent, strict=True):
                try:
                    vectors = future.result()
                except (RequestFailed, ProviderUnavailable) as error:
                    errors.append(error)
                else:
                    found.update(zip(((text_kind, t) for t in request), vectors, strict=True))
        if errors:
            self._kept = found
            raise self._worst(errors, alone=len(texts) == 1)
        self._refused = 0
        return np.stack([found[key] for key in keys])

    def _worst(self, errors: Sequence[Exception], *, alone: bool) -> Exception:
        for error in errors:
            if isinstance(error, ProviderUnavailable):
                return error
        if alone:
            self._refused += 1
            if self._refused >= REFUSALS_BEFORE_STOP:
                return ProviderUnavailable(
                    f"embedding model {self._name!r}: {self._refused} texts in a row were not "
                    f"encoded; the last answer: {errors[0]}"
                )
        return errors[0]

    def _requests(self, texts: Sequence[str]) -> Iterator[tuple[list[str], int]]:
        """Consecutive texts within both limits of a request, and their tokens."""
        held: list[str] = []
        tokens = 0
        for text, count in zip(texts, self._tokenizer.count(texts), strict=True):
            too_large = tokens + count.tokens > self._options.request_tokens
            if held and (too_large or len(held) == self._options.request_texts):
                yield held, tokens
                held, tokens = [], 0
            held.append(text)
            tokens += count.tokens
        if held:
            yield held, tokens

    def _request(self, texts: Sequence[str], tokens: int, text_kind: str) -> np.ndarray:
        """Send one request until it succeeds or its attempts are used up."""
        attempts = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Transient),
            stop=tenacity.stop_after_attempt(self._options.attempts),
            wait=self._wait,
            reraise=True,
        )
        try:
            return attempts(self._attempt, texts, tokens, text_kind)
        except _Transient as error:
            if error.texts_to_blame:
                raise RequestFailed(str(error)) from None
            raise ProviderUnavailable(
                f"embedding model {self._name!r}: {error}, {self._options.attempts} times; "
                "finished batches are stored, run again later"
            ) from None

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Exponential backoff with full jitter, or what the provider asks for if that is longer."""
        longest = self._options.longest_wait_seconds
        backoff = tenacity.wait_random_exponential(multiplier=0.5, max=longest)(state)
        error = state.outcome.exception() if state.outcome else None
        return max(backoff, error.retry_after if isinstance(error, _Transient) else 0.0)

    def _attempt(self, texts: Sequence[str], tokens: int, text_kind: str) -> np.ndarray:
        fields_of_kind = (
            self._options.query_fields if text_kind == "query" else self._options.passage_fields
        )
        body = {
            "model": self._options.model,
            "input": list(texts),
            "encoding_format": "float",
            **fields_of_kind,
        }
        self._pacer.wait(tokens)
        try:
            response = self._client.post("embeddings", json=body)
        except httpx.ConnectError as error:
            raise _Transient(f"no connection ({error})", texts_to_blame=False) from None
        except httpx.TransportError as error:
            raise _Transient(f"{type(error).__name__}: {error}") from None
        self._check_status(response)
        return self._vectors(response, len(texts))

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 200:
            return
        answer = f"HTTP {status}: {self._readable(response)}"
        if status in _NO_ACCESS:
            raise ProviderUnavailable(f"embedding model {self._name!r}: {answer}")
        if status in _BUSY or status >= 500:
            retry_after = _retry_after(response)
            if retry_after > self._options.longest_wait_seconds:
                raise ProviderUnavailable(
                    f"embedding model {self._name!r}: {answer}; it asks to wait "
                    f"{retry_after:.0f} s, more than longest_wait_seconds; run again later"
                )
            if retry_after:
                self._pacer.pause(retry_after)
            raise _Transient(answer, retry_after=retry_after, texts_to_blame=status not in _BUSY)
        raise RequestFailed(answer)

    def _vectors(self, response: httpx.Response, count: int) -> np.ndarray:
        """Vectors in the order of the texts, of length 1; the answer may list them in any order."""
        try:
            items = response.json()["data"]
            by_index = {int(item["index"]): item["embedding"] for item in items}
            if len(items) != count or sorted(by_index) != list(range(count)):
                raise ValueError(f"{len(items)} vectors for {count} texts")
            vectors = [np.asarray(by_index[index], dtype=np.float32) for index in range(count)]
        except (ValueError, KeyError, TypeError) as error:
            raise _Transient(f"unusable answer ({type(error).__name__}: {error})") from None
        sizes = sorted({vector.size for vector in vectors})
        if sizes != [self._dimensions]:
            raise _Transient(f"vectors of dimension {sizes} instead of {self._dimensions}")
        matrix = np.stack(vectors)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        return np.divide(matrix, norms, out=matrix, where=np.isfinite(norms) & (norms > 0))

    def _readable(self, response: httpx.Response) -> str:
        """The beginning of an error's text, without the key should the provider repeat it."""
        text = " ".join(response.text.split())[:300]
        return text.replace(self._secret, "***") if self._secret else text


def _options(model: DeclaredModel) -> Options:
    label = f"embedding model {model.name!r}"
    known = {field.name for field in fields(Options)}
    unknown = sorted(set(model.options) - known)
    if unknown:
        raise UserError(
            f"{label}: unknown option {unknown}; known: {sorted(known)}. A key is read from the "
            "environment variable that api_key_env names and can stand nowhere else"
        )
    missing = [key for key in ("base_url", "model") if not model.options.get(key)]
    if missing:
        raise UserError(f"{label}: options {missing} must be given")
    options = Options(**model.options)
    if httpx.URL(options.base_url).userinfo:
        raise UserError(f"{label}: base_url must hold no user and password")
    return options


def _api_key(model: DeclaredModel, options: Options) -> str:
    if not options.api_key_env:
        return ""
    key = os.environ.get(options.api_key_env, "")
    if not key:
        raise UserError(
            f"embedding model {model.name!r}: the environment variable {options.api_key_env} "
            "that api_key_env names is not set"
        )
    return key


@lru_cache(maxsize=16)
def _shared_pacer(base_url: str, requests_per_minute: float, tokens_per_minute: float) -> Pacer:
    """All models at one address share its limits."""
    return Pacer(requests_per_minute or None, tokens_per_minute or None)


def _retry_after(response: httpx.Response) -> float:
    """Seconds of the header Retry-After, given as a number or a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("retry-after", "").strip()
    if not value:
        return 0.0
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    return max(0.0, moment.timestamp() - time.time())
