/**
 * Two ways to keep track of many sessions of a store: {@link dev.clew.manage.SessionManager} for
 * chat platforms, whose sessions have keys such as {@code feishu:oc_xxx}, and {@link
 * dev.clew.manage.UserSessions} for applications with users who have a few sessions each. Both are
 * thin; a program that needs neither uses {@link dev.clew.SessionStore} directly.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.manage;
