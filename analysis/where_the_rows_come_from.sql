-- Which files do the rows come from, when were they recorded, and by which backends?
-- One row per landed file that holds debates or probes. n_recorded of its n_debates and n_batteries have a time; null is what no row
-- states.
select
    file,
    sha256_prefix,
    n_debates,
    n_batteries,
    n_recorded,
    first_recorded_at,
    last_recorded_at,
    backends,
    providers,
from provenance
where n_debates + n_batteries > 0
order by file
