/** What the tests use of packages that come without types. */

declare module 'libheif-js/wasm-bundle' {
  /** In pixels. */
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Fills `data` with red, green, blue and alpha of each pixel; `shown` gets null if it cannot. */
    display(
      into: { data: Uint8ClampedArray; width: number; height: number },
      shown: (into: object | null) => void,
    ): void;
  }

  const libheif: { HeifDecoder: new () => { decode(bytes: Buffer): HeifImage[] } };
  export default libheif;
}
