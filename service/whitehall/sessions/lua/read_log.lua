#!lua flags=allow-oom
-- Part of a game's log. KEYS: the log (list). ARGV: first and last index, from 0.
return redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])
