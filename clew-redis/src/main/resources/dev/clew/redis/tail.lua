-- Takes out entries at known positions and adds others at the end.
-- 13 version at which the positions were read, '' for any, '!' if they are not as expected,
-- 14 bytes, 15 '1' if an item has an id, 16 how many positions, 17… positions, those of damaged
-- entries after a 'q', then items
if expired() then wipe() end
local no = refused()
if no then return no end
if not alive then return {'ABSENT'} end
if ARGV[13] == '!' then return {'SUFFIX'} end
if ARGV[13] ~= '' and ARGV[13] ~= n(version) then return {'AGAIN'} end
local count, taken = tonumber(ARGV[16]), {}
for i = 1, count do
  local damaged, position = match(ARGV[16 + i], '^(q?)(.*)$')
  local member = call('ZRANGEBYSCORE', I, position, position)[1]
  if not member then return {'MISSING', position} end
  taken[i] = {position, member, damaged == 'q'}
end
touch()
reserve()
for _, t in ipairs(taken) do
  if t[3] then call('HSET', Q, t[1], t[2]) end
  leave(t[2])
  call('ZREMRANGEBYSCORE', I, t[1], t[1])
  change('removed', t[1])
end
local first, last = '-', '-'
local from = 17 + count
if #ARGV >= from then
  first = n(version + 1)
  insert(version + 1, from, ARGV[14], ARGV[15])
  version = version + #ARGV - from + 1
  last = n(version)
end
save()
return done(first, last)
