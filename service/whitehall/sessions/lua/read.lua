#!lua flags=allow-oom
-- A game as it is now, and when it ends, in milliseconds since 1970. KEYS: the game (hash).
local held = redis.call('HMGET', KEYS[1], 'v', 's', 'g')
if not held[1] then
  return {}
end
return {held[1], held[2], held[3], redis.call('PEXPIRETIME', KEYS[1])}
