#!lua flags=allow-oom
-- The end of a game. It frees memory, so it runs where there is none left.
--
-- KEYS  the game (hash), its log (list)
-- ARGV  1 holder   2 generation of the caller's token
local game, log = KEYS[1], KEYS[2]
local held = redis.call('HMGET', game, 'v', 'g')
if not held[1] then
  return {'missing'}
end
if held[2]:sub(4 * ARGV[1] + 1, 4 * ARGV[1] + 4) ~= ARGV[2] then
  return {'revoked', held[1], redis.call('HGET', game, 's'), held[2], redis.call('PEXPIRETIME', game)}
end
redis.call('DEL', game, log)
redis.call('SPUBLISH', game, 0)
return {'deleted'}
