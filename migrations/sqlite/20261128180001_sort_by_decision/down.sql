DROP INDEX submissions_by_decision;
