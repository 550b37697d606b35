-- The examples of Newcombe (1998), Two-sided confidence intervals for the single proportion, table I,
-- method 3 (Wilson's score interval), to four places as printed; and 3 of 4, worked out by hand.
with examples as (

    select
        81 as successes,
        263 as trials,
        0.2553 as lower_bound,
        0.3662 as upper_bound
    union all
    select 15, 148, 0.0624, 0.1605
    union all
    select 0, 20, 0.0000, 0.1611
    union all
    select 1, 29, 0.0061, 0.1718
    union all
    select 3, 4, 0.3006, 0.9544

),

worked_out as (

    select
        *,
        {{ chunk_bakeoff.wilson_bound('(successes / trials)', 'trials', '-') }} as lower_here,
        {{ chunk_bakeoff.wilson_bound('(successes / trials)', 'trials', '+') }} as upper_here
    from examples

)

select *
from worked_out
where
    round(lower_here, 4) <> lower_bound
    or round(upper_here, 4) <> upper_bound
