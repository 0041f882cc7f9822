/**
 * Where the page is: fragments, so that no invitation reaches a log.
 * @module
 */

/** @typedef {{room: string, id?: string, invitation?: string}} Route */

/** @param {string} fragment @returns {Route} */
export function read(fragment) {
  const [room, id, invitation] = fragment.replace(/^#\//, "").split("/").map(decodeURIComponent);
  if (["tables", "journal"].includes(room) && id) return { room, id };
  if (room === "join" && id && invitation) return { room, id, invitation };
  return { room: "lobby" };
}

/** @param {string} fragment */
export function go(fragment) {
  location.hash = fragment;
}

/** @param {string} id @param {string} invitation @returns {string} */
export function invitationLink(id, invitation) {
  const path = `#/join/${encodeURIComponent(id)}/${encodeURIComponent(invitation)}`;
  return new URL(path, location.href).href;
}
