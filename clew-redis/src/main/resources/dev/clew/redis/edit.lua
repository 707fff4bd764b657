-- 13 position, 14 bytes, 15 item
if expired() then wipe() end
local no = refused()
if no then return no end
local index, before
if alive then index, before = find(I, ARGV[13]) end
if not index then return {'MISSING'} end
touch()
reserve()
leave(before)
local since = match(before, '^%S+ %S+ (%d+) ') or added
call('LSET', I, index, table.concat({ARGV[13], ARGV[13], since, ARGV[15]}, ' '))
local key = match(ARGV[15], '^%S+ (%S+) ')
if key ~= '-' then call('ZADD', K, 0, key .. ':' .. ARGV[13]) end
items = items + 1
bytes = bytes + ARGV[14]
change('edited', ARGV[13])
save()
return done(ARGV[13], ARGV[13])
