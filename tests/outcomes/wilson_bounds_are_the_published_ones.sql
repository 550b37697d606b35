-- The examples of Newcombe (1998), Two-sided confidence intervals for the single proportion, table
-- I, method 3 (Wilson's score interval), to four places as printed; and 3 of 4, worked out by hand.
with examples as (

    select published.*
    from (
        values
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (3, 4, 0.3006, 0.9544)
    ) as published (successes, trials, lower_bound, upper_bound)

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
    round(lower_here, 4) != lower_bound
    or round(upper_here, 4) != upper_bound
