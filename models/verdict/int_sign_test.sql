with counts as (

    select distinct
        least(a_only, b_only) as fewer,
        a_only + b_only as flips
    from {{ ref('int_paired_counts') }}

),

-- The binomial tail at p = 1/2: flips! / (i! (flips - i)!) / 2 ^ flips for i = 0 to fewer.
terms as (

    select
        fewer,
        flips,
        {{ chunk_bakeoff.explode('generate_series(0, fewer)') }} as i
    from counts

),

tails as (

    select
        fewer,
        flips,
        sum(exp(
            {{ chunk_bakeoff.log_factorial('flips') }}
            - {{ chunk_bakeoff.log_factorial('i') }}
            - {{ chunk_bakeoff.log_factorial('flips - i') }}
            - flips * ln(2)
        )) as tail
    from terms
    group by fewer, flips

),

final as (

    select
        fewer,
        flips,
        -- With as many on either side, the two tails share their middle.
        case when 2 * fewer = flips then 1.0 else least(1.0, 2 * tail) end as p_value
    from tails

)

select * from final
