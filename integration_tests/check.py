"""Compare what the project built with values worked out by hand from seeds/library_pages.csv."""

import argparse

import duckdb

BY_PARAGRAPH = [
    ("alarm", 0, 7, "# Alarm"),
    ("alarm", 9, 49, "The alarm code is changed every quarter."),
    ("alarm", 51, 91, "Only the night porter may switch it off."),
    ("lending", 0, 9, "# Lending"),
    ("lending", 11, 41, "Books are lent for four weeks."),
    ("lending", 43, 108, "Films are lent for one week.\nA late film costs fifty cents a day."),
    ("opening", 0, 15, "# Opening hours"),
    (
        "opening",
        17,
        97,
        "The library is open from nine to six on weekdays.\nOn Saturdays it closes at one.",
    ),
    ("opening", 99, 110, "## Holidays"),
    ("opening", 112, 145, "It stays shut on public holidays."),
]

BY_LINE = [
    ("alarm", 0, 7, "# Alarm"),
    ("alarm", 9, 49, "The alarm code is changed every quarter."),
    ("alarm", 51, 91, "Only the night porter may switch it off."),
    ("lending", 0, 9, "# Lending"),
    ("lending", 11, 41, "Books are lent for four weeks."),
    ("lending", 43, 71, "Films are lent for one week."),
    ("lending", 72, 108, "A late film costs fifty cents a day."),
    ("opening", 0, 15, "# Opening hours"),
    ("opening", 17, 66, "The library is open from nine to six on weekdays."),
    ("opening", 67, 97, "On Saturdays it closes at one."),
    ("opening", 99, 110, "## Holidays"),
    ("opening", 112, 145, "It stays shut on public holidays."),
]

# Each check: what it is about, the query, the rows it has to give.
CHECKS = [
    (
        "only the project's own documents are there, with their access lists and further columns",
        "select doc_id, title, acl, branch, problem from main_bakeoff.stg_documents"
        " order by doc_id",
        [
            ("alarm", "Alarm", ["staff"], "Mill Lane", "leaks"),
            ("lending", "Lending", ["public"], "Marlow Street", "leaks"),
            ("opening", "Opening hours", ["public"], "Marlow Street", "leaks"),
        ],
    ),
    (
        "columns of lists are read as lists",
        "select question_id, groups, tags from main_bakeoff.stg_questions order by question_id",
        [
            ("alarm_code_public", ["public"], ["public only"]),
            ("alarm_code_staff", ["public", "staff"], []),
            ("films", ["public"], ["public only"]),
            ("weekdays", ["public"], ["public only"]),
            ("weekend", ["public"], ["public only"]),
        ],
    ),
    (
        "both own strategies are on the leaderboard, and `fixed` has the project's variants alone",
        "select strategy, chunks from main_bakeoff_marts.rpt_strategy_leaderboard"
        " order by strategy",
        [
            ("by_line", 12),
            ("by_paragraph", 10),
            ("fixed_64_0", 3),
            ("structure_no_path", 4),
            ("structure_path", 4),
        ],
    ),
    (
        "four questions are scored; the fifth asks for what its asker may not read",
        "select distinct n_given, n_scored from main_bakeoff_marts.rpt_strategy_leaderboard",
        [(4, 4)],
    ),
    (
        "hypotheses about the bundled corpus are not about this one",
        "select count(*) from main_bakeoff.rpt_hypotheses",
        [(0,)],
    ),
    (
        "the chunks of the Python strategy are exact",
        "select doc_id, char_start, char_end, body from main_bakeoff.int_chunks"
        " where strategy = 'by_paragraph' order by doc_id, char_start",
        BY_PARAGRAPH,
    ),
    (
        "the chunks of the SQL strategy are exact",
        "select doc_id, char_start, char_end, body from main_bakeoff.int_chunks"
        " where strategy = 'by_line' order by doc_id, char_start",
        BY_LINE,
    ),
    (
        # Four askers see all chunks of two documents, the fifth those of the third as well.
        "every asker is delivered all they may read within the largest budget",
        "select strategy, count(*) from main_bakeoff_marts.fct_retrievals"
        " where strategy in ('by_line', 'by_paragraph') group by strategy order by strategy",
        [("by_line", 4 * 9 + 12), ("by_paragraph", 4 * 7 + 10)],
    ),
    (
        "the restricted document is delivered to the asker of its group alone",
        "select distinct question_id from main_bakeoff_marts.fct_retrievals where doc_id = 'alarm'",
        [("alarm_code_staff",)],
    ),
    (
        "a span over two lines is found in two lines together, a single paragraph holds it",
        "select strategy, found_at_rank is null, found_at_rank = 1, hit_rank is null"
        " from main_bakeoff_marts.fct_span_outcomes where question_id = 'weekend'"
        " and strategy in ('by_line', 'by_paragraph') order by strategy",
        [("by_line", False, False, True), ("by_paragraph", False, True, False)],
    ),
    (
        # 12 lines, 2 paragraphs of two lines, 4 sections without and 4 with a path, 1 document
        # that is no section, 5 questions.
        "every text has one vector, in the schema that the project gave the store",
        "select count(*), count(distinct run_id) from main_bakeoff_vectors.embedding_store",
        [(28, 1)],
    ),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--embedded", type=int, required=True, help="texts of the last build")
    options = parser.parse_args()
    embedded = (
        f"the last build embedded {options.embedded} texts",
        "select texts_embedded, texts_failed from main_bakeoff.int_embedding_run",
        [(options.embedded, 0)],
    )
    failures = 0
    with duckdb.connect(options.database, read_only=True) as connection:
        for subject, query, expected in [*CHECKS, embedded]:
            actual = connection.execute(query).fetchall()
            print(f"{'ok' if actual == expected else 'FAILED':6} {subject}")
            if actual != expected:
                failures += 1
                print(f"       expected {expected}\n       got      {actual}")
    if failures:
        raise SystemExit(f"{failures} of {len(CHECKS) + 1} checks failed")


if __name__ == "__main__":
    main()
