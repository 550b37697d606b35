"""Any HTTP endpoint that speaks the OpenAI embeddings protocol (`POST /embeddings`).

The declared `source` gives the tokenizer that counts tokens; `options` are those of `Options`.
"""

from __future__ import annotations

import email.utils
import hashlib
import json
import os
import re
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
# Texts refused one after the other, none encoded between them, before a plain text is tried: if
# that is refused too, the run stops.
REFUSALS_BEFORE_STOP = 3
PLAIN_TEXT = "dimension check"
# Most characters of an answer in a message.
_SHOWN = 300


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
            options.base_url.rstrip("/"), options.requests_per_minute, options.tokens_per_minute
        )
        self._client = httpx.Client(
            base_url=options.base_url.rstrip("/") + "/",
            timeout=options.timeout_seconds,
            headers={"Authorization": f"Bearer {key}"} if key else {},
        )
        self._refused = 0
        self._worked = False
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
            raise self._worst(errors, texts, text_kind)
        self._refused = 0
        self._worked = True
        return np.stack([found[key] for key in keys])

    def _worst(
        self, errors: Sequence[Exception], texts: Sequence[str], text_kind: str
    ) -> Exception:
        for error in errors:
            if isinstance(error, ProviderUnavailable):
                return error
        if len(texts) == 1:
            self._refused += 1
            suspicious = not self._worked or self._refused >= REFUSALS_BEFORE_STOP
            if suspicious and not self._encodes_plain_text(texts, text_kind):
                return ProviderUnavailable(
                    f"embedding model {self._name!r}: {self._refused} texts in a row were not "
                    f"encoded, nor was {PLAIN_TEXT!r}; the last answer: {errors[0]}; check "
                    "dimensions and options in the setting embedding_models, or run again later"
                )
        return errors[0]

    def _encodes_plain_text(self, refused: Sequence[str], text_kind: str) -> bool:
        """Whether the refused texts are to blame, and not the provider."""
        if list(refused) == [PLAIN_TEXT]:
            return False
        try:
            for request in self._requests([PLAIN_TEXT]):
                self._request(*request, text_kind)
        except (RequestFailed, ProviderUnavailable):
            return False
        self._refused = 0
        self._worked = True
        return True

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
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            reason = f"no connection ({self._shown(str(error))})"
            raise _Transient(reason, texts_to_blame=False) from None
        except httpx.RequestError as error:
            raise _Transient(self._shown(f"{type(error).__name__}: {error}")) from None
        self._check_status(response)
        return self._vectors(response, len(texts))

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 200:
            return
        answer = f"HTTP {status}: {self._shown(response.text)}"
        if status in _NO_ACCESS:
            raise ProviderUnavailable(
                f"embedding model {self._name!r}: {answer}; check the options base_url and model, "
                "and the key in the variable that api_key_env names"
            )
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
            reason = f"unusable answer ({type(error).__name__}: {error}): {response.text}"
            raise _Transient(self._shown(reason)) from None
        sizes = sorted({vector.size for vector in vectors})
        if sizes != [self._dimensions]:
            raise _Transient(
                f"vectors of dimension {sizes} instead of {self._dimensions}, as declared"
            )
        matrix = np.stack(vectors)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        return np.divide(matrix, norms, out=matrix, where=np.isfinite(norms) & (norms > 0))

    def _shown(self, text: str) -> str:
        """The beginning of a text, without the key should the provider repeat it."""
        if self._secret:
            text = text.replace(self._secret, "***")
        return " ".join(text.split())[:_SHOWN]


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
    for key, value in model.options.items():
        _check_option(label, key, value)
    return Options(**model.options)


def _check_option(label: str, key: str, value: Any) -> None:
    """Refuse a value that cannot work. What may hold a key is not repeated."""
    if key in ("base_url", "api_key_env"):
        complaint = _no_address(value) if key == "base_url" else _no_variable(value)
        if complaint:
            raise UserError(f"{label}: {key} {complaint}")
        return
    is_number = type(value) in (int, float)
    if key == "model":
        fits, kind = isinstance(value, str), "a text"
    elif key in ("query_fields", "passage_fields"):
        fits, kind = isinstance(value, Mapping), "a mapping"
    elif key in ("request_texts", "request_tokens", "concurrency", "attempts"):
        fits, kind = type(value) is int and value > 0, "a whole number above 0"
    elif key == "timeout_seconds":
        fits, kind = is_number and value > 0, "a number above 0"
    else:
        fits, kind = is_number and value >= 0, "a number from 0 on"
    if not fits:
        raise UserError(f"{label}: {key} must be {kind}, not {value!r}")


def _no_address(value: Any) -> str:
    try:
        url = httpx.URL(value)
    except (httpx.InvalidURL, TypeError):
        return "must be an address such as https://host/v1"
    if url.scheme not in ("http", "https") or not url.host:
        return "must begin with http:// or https:// and a host"
    if url.userinfo or url.query:
        return "must hold no user and password and no query"
    return ""


def _no_variable(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)?", value):
        return ""
    return "must be the name of an environment variable, not the key itself"


def _api_key(model: DeclaredModel, options: Options) -> str:
    if not options.api_key_env:
        return ""
    variable = f"the environment variable {options.api_key_env} that api_key_env names"
    # A key that is read from a file often ends in a line break.
    key = os.environ.get(options.api_key_env, "").strip()
    if not key:
        raise UserError(
            f"embedding model {model.name!r}: {variable} is not set; export it before dbt runs"
        )
    if not (key.isascii() and key.isprintable()):
        raise UserError(
            f"embedding model {model.name!r}: {variable} holds characters that no HTTP header may "
            "have; set it to the key alone"
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
