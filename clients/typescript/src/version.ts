/** Made by tools/clients.py. */
export const VERSION = "0.1.0";
