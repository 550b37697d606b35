{# The exact two-sided sign test: one row per distinct (fewer, flips) with its p-value.
   `counts`: a relation with a_only and b_only, the questions that only one of the two finds. #}
{% macro sign_test(counts) -%}
    select
        fewer,
        flips,
        -- With as many on either side, the two tails share their middle.
        case when 2 * fewer = flips then 1.0 else least(1.0, 2 * sum(term)) end as p_value
    from (
        -- The binomial tail at 1/2: flips! / (i! (flips - i)!) / 2 ^ flips for i = 0 to fewer.
        select
            fewer,
            flips,
            exp(
                {{ chunk_bakeoff.log_factorial('flips') }}
                - {{ chunk_bakeoff.log_factorial('i') }}
                - {{ chunk_bakeoff.log_factorial('flips - i') }}
                - flips * ln(2)
            ) as term
        from (
            select
                fewer,
                flips,
                {{ chunk_bakeoff.explode('generate_series(0, fewer)') }} as i
            from (
                select distinct
                    least(a_only, b_only) as fewer,
                    a_only + b_only as flips
                from {{ counts }}
            ) as distinct_counts
        ) as exploded
    ) as terms
    group by fewer, flips
{%- endmacro %}
