/**
 * The client of Whitehall, the referee for deduction board games. Start at {@link example.whitehall.client.Whitehall}.
 * Messages are in {@code example.whitehall}, by the packages of their protos.
 */
package example.whitehall.client;
