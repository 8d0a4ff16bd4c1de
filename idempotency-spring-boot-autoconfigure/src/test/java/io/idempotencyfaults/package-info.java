/**
 * A tree with the packages of the module and one fault in every class, for {@code ArchitectureTests}: each rule must
 * find the faults that are planted for it.
 */
package io.idempotencyfaults;
