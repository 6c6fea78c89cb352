SELECT count(*) FROM tiny WHERE state = 1;
