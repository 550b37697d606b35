"""Source code taken apart at its functions, classes and statements, by tree-sitter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from chunk_bakeoff.optional import required
from chunk_bakeoff.text import strip_span


@dataclass(frozen=True, slots=True)
class Grammar:
    """What makes a definition in one language, by tree-sitter's names of nodes.

    Attributes:
        package: on PyPI; its module has the same name with underscores.
        functions: nodes that are a definition without definitions inside.
        containers: nodes that are a definition and may hold others, with the field of their body.
        wrappers: nodes around a definition: decorators, exports.
        attached: nodes that belong to the definition right below them.
        factory: the function of the module that gives the grammar.
    """

    package: str
    functions: frozenset[str]
    containers: Mapping[str, str] = field(default_factory=dict)
    wrappers: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset({"comment"})
    factory: str = "language"


_SCRIPT_FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "method_definition"}
)
GRAMMARS = {
    "python": Grammar(
        "tree-sitter-python",
        frozenset({"function_definition"}),
        {"class_definition": "body"},
        frozenset({"decorated_definition"}),
    ),
    "sql": Grammar(
        "tree-sitter-sql", frozenset({"statement"}), attached=frozenset({"comment", "marginalia"})
    ),
    "javascript": Grammar(
        "tree-sitter-javascript",
        _SCRIPT_FUNCTIONS,
        {"class_declaration": "body"},
        frozenset({"export_statement"}),
    ),
    "typescript": Grammar(
        "tree-sitter-typescript",
        _SCRIPT_FUNCTIONS | {"interface_declaration", "type_alias_declaration", "enum_declaration"},
        {"class_declaration": "body", "abstract_class_declaration": "body"},
        frozenset({"export_statement"}),
        factory="language_typescript",
    ),
    "go": Grammar(
        "tree-sitter-go",
        frozenset({"function_declaration", "method_declaration", "type_declaration"}),
    ),
    "rust": Grammar(
        "tree-sitter-rust",
        frozenset({"function_item", "struct_item", "enum_item", "macro_definition"}),
        {"impl_item": "body", "mod_item": "body", "trait_item": "body"},
        attached=frozenset({"line_comment", "block_comment", "attribute_item"}),
    ),
    "java": Grammar(
        "tree-sitter-java",
        frozenset({"method_declaration", "constructor_declaration"}),
        {
            "class_declaration": "body",
            "interface_declaration": "body",
            "enum_declaration": "body",
            "record_declaration": "body",
        },
        attached=frozenset({"line_comment", "block_comment"}),
    ),
}
MEDIA_TYPES = {
    "text/x-python": "python",
    "application/sql": "sql",
    "text/javascript": "javascript",
    "text/typescript": "typescript",
    "text/x-go": "go",
    "text/x-rust": "rust",
    "text/x-java": "java",
}
# The words behind an opening fence that name a language by another name.
FENCE_NAMES = {
    **{name: name for name in GRAMMARS},
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "golang": "go",
    "rs": "rust",
}
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """A definition with its comments and decorators, or what stands between definitions.

    Attributes:
        start: first code point, indentation of the first line included.
        end: one past the last.
        symbol: names of the definitions around it and its own, outermost first; for what stands
            between definitions those around it.
        inner: the same text in smaller pieces, where it holds definitions.
    """

    start: int
    end: int
    symbol: tuple[str, ...] = ()
    inner: tuple[Piece, ...] = ()


def pieces(text: str, language: str, start: int = 0, end: int | None = None) -> list[Piece]:
    """The pieces of source code in order; together they cover everything but white space.

    Args:
        text: the document.
        language: a key of `GRAMMARS`.
        start: first code point of the code.
        end: one past its last code point.

    Raises:
        UserError: the grammar is not installed.
    """
    end = len(text) if end is None else end
    code = text[start:end].encode()
    reader = _Reader(text, GRAMMARS[language], _code_points(code) + start)
    root = _parser(language).parse(code).root_node
    return list(reader.pieces(root.children, start, end, ()))


class _Reader:
    """Turns nodes into pieces of one text."""

    def __init__(self, text: str, grammar: Grammar, positions: np.ndarray) -> None:
        self._text = text
        self._grammar = grammar
        self._positions = positions

    def pieces(
        self, nodes: Sequence[Any], start: int, end: int, symbol: tuple[str, ...]
    ) -> Iterator[Piece]:
        found: list[Piece] = []
        for begin, node in self._definitions(nodes):
            inside = self._unwrapped(node)
            name = _name(inside)
            own = (*symbol, name) if name else symbol
            # Two definitions on one line: the second begins where the first ends.
            begin = max(begin, found[-1].end if found else start)
            finish = self._position(node.end_byte)
            inner: tuple[Piece, ...] = ()
            body = self._grammar.containers.get(inside.type)
            block = inside.child_by_field_name(body) if body else None
            if block is not None:
                inner = tuple(self.pieces(block.children, begin, finish, own))
            found.append(Piece(begin, finish, own, inner))
        yield from self._with_rest(found, start, end, symbol)

    def _with_rest(
        self, found: Sequence[Piece], start: int, end: int, symbol: tuple[str, ...]
    ) -> Iterator[Piece]:
        """The definitions and, as pieces of their own, what stands between them."""
        position = start
        held: Piece | None = None
        for piece in (*found, None):
            rest = strip_span(self._text, position, piece.start if piece else end)
            if rest.end > rest.start:
                if held and not any(c.isalnum() for c in self._text[rest.start : rest.end]):
                    # Closing brackets and semicolons go with what they close.
                    held = Piece(held.start, rest.end, held.symbol, _reaching(held, rest.end))
                else:
                    if held:
                        yield held
                    held = Piece(self._line_start(rest.start, position), rest.end, symbol)
            if piece:
                if held:
                    yield held
                held = piece
                position = piece.end
        if held:
            yield held

    def _definitions(self, nodes: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Definitions among sibling nodes, with where the comments right above them begin."""
        above: int | None = None
        reached = 0
        for node in nodes:
            start = self._line_start(self._position(node.start_byte), reached)
            is_near = not _BLANK_LINE.search(self._text, reached, self._position(node.start_byte))
            if node.type in self._grammar.attached:
                on_own_line = self._text[start : self._position(node.start_byte)].isspace() or (
                    start == 0 or self._text[start - 1] in "\r\n"
                )
                if above is None or not is_near:
                    above = start if on_own_line else None
            else:
                if self._is_definition(node):
                    yield (above if above is not None and is_near else start), node
                above = None
            reached = strip_span(self._text, 0, self._position(node.end_byte)).end

    def _is_definition(self, node: Any) -> bool:
        inside = self._unwrapped(node)
        return (
            inside.type in self._grammar.functions
            or inside.type in self._grammar.containers
            or _function_variable(inside) is not None
        )

    def _unwrapped(self, node: Any) -> Any:
        if node.type in self._grammar.wrappers:
            for name in ("definition", "declaration", "value"):
                inside = node.child_by_field_name(name)
                if inside is not None:
                    return inside
        return node

    def _position(self, byte: int) -> int:
        return int(self._positions[byte])

    def _line_start(self, position: int, earliest: int) -> int:
        """The start of the line, where nothing but indentation stands in front."""
        line = max(self._text.rfind("\n", earliest, position) + 1, earliest)
        return line if not self._text[line:position].strip() else position


def _reaching(piece: Piece, end: int) -> tuple[Piece, ...]:
    if not piece.inner:
        return ()
    *before, last = piece.inner
    return (*before, Piece(last.start, end, last.symbol, _reaching(last, end)))


def _name(node: Any) -> str:
    """The name of a definition; empty where it has none."""
    variable = _function_variable(node)
    if variable is not None:
        return _said(variable.child_by_field_name("name"))
    if node.type == "impl_item":
        trait, of = node.child_by_field_name("trait"), node.child_by_field_name("type")
        return f"{_said(trait)} for {_said(of)}" if trait else _said(of)
    if node.type in ("type_declaration", "statement"):
        return next((_said(n) for c in node.named_children if (n := _named(c))), "")
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        of = re.search(r"(\w+)(?:\[[^\]]*\])?\s*\)$", _said(receiver))
        return f"{of[1]}.{_said(_named(node))}" if of else _said(_named(node))
    return _said(_named(node))


def _named(node: Any) -> Any:
    name = node.child_by_field_name("name")
    if name is None and node.type.startswith("create_"):
        name = next((c for c in node.named_children if c.type == "object_reference"), None)
    return name


def _said(node: Any) -> str:
    return node.text.decode(errors="replace") if node is not None else ""


def _function_variable(node: Any) -> Any:
    """The declarator of `const name = () => …`, or None."""
    if node.type not in ("lexical_declaration", "variable_declaration"):
        return None
    for child in node.named_children:
        value = child.child_by_field_name("value")
        if value is not None and value.type in ("arrow_function", "function_expression", "class"):
            return child
    return None


def _code_points(code: bytes) -> np.ndarray:
    """Code point at each byte, and at the end."""
    starts = (np.frombuffer(code, dtype=np.uint8) & 0xC0) != 0x80
    return np.concatenate(([0], np.cumsum(starts)))


@lru_cache(maxsize=len(GRAMMARS))
def _parser(language: str) -> Any:
    grammar = GRAMMARS[language]
    tree_sitter = required("tree_sitter", "tree-sitter")
    module = required(grammar.package.replace("-", "_"), grammar.package)
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, grammar.factory)()))
