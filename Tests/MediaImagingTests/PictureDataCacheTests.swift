import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers

@Suite("Thumbnails of pictures that stripping has read")
struct PictureDataCacheDecodingTests {
  private let bench = Bench()

  @Test(
    "A thumbnail is the same whether the picture was read before or not",
    arguments: ["PNG", "interlaced PNG", "PNG of 16 bits", "GIF", "interlaced GIF"]
  )
  func same(kind: String) throws {
    let isPNG = kind.contains("PNG")
    let name = isPNG ? "scene.png" : "scene.gif"
    try bench.makeScene("plain.png", width: 300, height: 200)
    try bench.convert(
      ["plain.png", "-depth", kind.hasSuffix("16 bits") ? "16" : "8"]
        + (kind.hasPrefix("interlaced") ? ["-interlace", "Line"] : []) + [name]
    )
    let bytes = try readBytes(bench.path(name))
    let thumbnailer = ImageThumbnailer()
    let format: MediaFormat = isPNG ? .png : .gif
    let plain = try thumbnailer.thumbnails(of: bytes, format: format, spec(80, 80))
    try bytes.withUnsafeBytes { memory in
      let cache = PictureDataCache(keepsPixels: true)
      let source = ByteSource(memory)
      if isPNG {
        _ = try PNGPictures(of: source, cache: cache)
        #expect(cache.stream?.content != nil)
      } else {
        var parser = try GIFParser(source)
        while let block = try parser.next() {
          if case .image(let image) = block { _ = try cache.reading(of: image, in: source) }
        }
        #expect(cache.indices != nil)
      }
      let read = try thumbnailer.thumbnails(
        of: memory,
        format: format,
        orientation: 1,
        specifications: [spec(80, 80)],
        cache: cache
      )
      #expect(read.map(\.bytes) == plain.map(\.bytes))
      #expect(cache.taken != nil || !isPNG)
    }
  }
}
