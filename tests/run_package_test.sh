#!/usr/bin/env bash
# Install this project as a dbt package into integration_tests/, build that project from a folder
# that is not its own, and compare what was built with values worked out by hand.
# Needs dbt and this project's Python package on the PATH: `make package-test` sees to that.
set -euo pipefail

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/../integration_tests" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

export DO_NOT_TRACK=1
export ANALYTICS_DATABASE="$work/analytics.duckdb"
folders=(--project-dir "$project" --profiles-dir "$project" --log-path "$work/logs")

# A warning is a failure.
build() {
    dbt --warn-error --no-use-colors build "${folders[@]}" --target-path "$work/target" "$@"
}

dbt --warn-error --no-use-colors deps "${folders[@]}"

build
python "$project/check.py" "$ANALYTICS_DATABASE" --embedded 28

# Again, with nothing changed; the tests have said what they have to say.
build --exclude-resource-type test --exclude-resource-type unit_test
python "$project/check.py" "$ANALYTICS_DATABASE" --embedded 0

echo "A strategy model that is not listed has to stop the run:"
if build --select +int_strategy_chunks \
    --vars '{strategies: [fixed, structure, analytics.by_paragraph]}' > "$work/unlisted.txt"; then
    echo "FAILED: the run went on without analytics.by_line" >&2
    exit 1
fi
sentence='The strategy model models/strategies/by_line.sql is not listed. Add `analytics.by_line` to the setting `strategies`'
if ! grep -F "$sentence" "$work/unlisted.txt"; then
    cat "$work/unlisted.txt" >&2
    echo "FAILED: the run does not say: $sentence" >&2
    exit 1
fi
