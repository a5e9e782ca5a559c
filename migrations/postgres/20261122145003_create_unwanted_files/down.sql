DROP TABLE unwanted_files;
