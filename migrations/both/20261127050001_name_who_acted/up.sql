-- Who did what an event tells of, as kind and id: what they are called is looked up when it is told.
ALTER TABLE events ADD COLUMN actor TEXT;
