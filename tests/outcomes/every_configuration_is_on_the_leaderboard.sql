-- A configuration without a row would drop out of the comparison in silence. All are missing where
-- no question could be scored at all.
with configurations as (

    select config_id from {{ ref('int_configurations') }}

),

leaderboard as (

    select config_id from {{ ref('rpt_strategy_leaderboard') }}

)

select configurations.config_id
from configurations
left join leaderboard on configurations.config_id = leaderboard.config_id
where leaderboard.config_id is null
