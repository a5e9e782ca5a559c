UPDATE courses SET shown_cohorts = '', shown_generation = '' WHERE shown_cohorts <> '' OR shown_generation <> '';
