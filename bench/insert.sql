INSERT INTO entry (amount) VALUES (1);
