-- A check of the published audit numbers that does not hold needs a row in seeds/published/published_audit_exceptions.csv,
-- and one that holds needs none.
with checks as (
    select * from {{ ref('published_audit_checks') }}
),

exceptions as (
    select * from {{ ref('published_audit_exceptions') }}
)

select
    check_name,
    subject,
    checks.holds,
    exceptions.reason,
from checks
full join exceptions using (check_name, subject)
where coalesce(checks.holds, true) is distinct from (exceptions.reason is null)
