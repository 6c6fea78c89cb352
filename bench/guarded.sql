SELECT count(*) FROM tiny;
