DROP TABLE generation_pieces;
