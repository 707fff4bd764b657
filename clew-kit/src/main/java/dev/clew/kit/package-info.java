/** Parts shared by Clew's own modules. Not API: anything here may change in any release. */
@org.jspecify.annotations.NullMarked
package dev.clew.kit;
