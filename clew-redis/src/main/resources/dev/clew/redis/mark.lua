-- Marks a session as it says of itself: one of layout 2 was not.
if alive then remark(0, -1) end
return {'OK'}
