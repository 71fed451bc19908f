#!lua flags=allow-oom
-- What is remembered of one request: its digest (4 bytes) and the revision that it made (3 bytes), or nothing.
--
-- KEYS  the game (hash)
-- ARGV  1 holder   2 request key
local ring = redis.call('HGET', KEYS[1], ARGV[1]) or ''
for at = 1, #ring, 15 do
  if ring:sub(at, at + 7) == ARGV[2] then
    return ring:sub(at + 8, at + 14)
  end
end
return false
