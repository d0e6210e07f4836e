// In a chunk of its own: what panels need to enter and leave, loaded after the page is up.
export { domAnimation } from "framer-motion";
