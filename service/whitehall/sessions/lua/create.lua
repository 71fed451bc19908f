#!lua
-- The birth of a game, harmless when it runs again.
--
-- KEYS  the game (hash), its log (list)
-- ARGV  1 version   2 snapshot   3 generations   4 digest of the creation   5 seconds to live   6... log entries
local game, log = KEYS[1], KEYS[2]
local version, write_id = ARGV[1], ARGV[1]:sub(1, 8)
local first = 6

local held = redis.call('HMGET', game, 'v', 's', 'g', 'd')
if held[1] then
  -- As in a write: a repeated answer is a write of this connection too, for the WAIT behind it.
  redis.call('PEXPIREAT', game, redis.call('PEXPIRETIME', game))
  local born = redis.call('LINDEX', log, #ARGV - first)
  if born and born:sub(1, 8) == write_id then
    return {'created'}
  end
  return {'exists', held[1], held[2], held[3], redis.call('PEXPIRETIME', game), held[4] == ARGV[4] and 1 or 0}
end

redis.call('HSET', game, 'v', version, 's', ARGV[2], 'g', ARGV[3], 'd', ARGV[4])
redis.call('DEL', log)
for at = first, #ARGV do
  redis.call('RPUSH', log, write_id .. ARGV[at])
end
redis.call('EXPIRE', game, ARGV[5])
redis.call('EXPIRE', log, ARGV[5])
redis.call('SPUBLISH', game, #ARGV - first + 1)
return {'created'}
