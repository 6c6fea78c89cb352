SELECT count(*) FROM watched WHERE md5(note) = '0';
