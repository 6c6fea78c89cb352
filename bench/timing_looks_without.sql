SELECT count(*) FROM unwatched WHERE md5(note) = '0';
