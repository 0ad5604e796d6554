import Testing

@testable import MediaCodecs
@testable import MediaContainers

@Suite("The elements before the sound in a packet of AAC")
struct AACElementsTests {
  @Test(
    "A fill that is too short for the name of an encoder is cleared",
    arguments: [
      // A fill element (110), its length in bytes, content of type 0, and the end (111).
      ([0b1100_0010, 0b0001_0101, 0b1110_0000], [0b1100_0010, 0, 0b0000_0000]),
      ([0b1100_0100, 0b0001_0101, 0b0101_0101, 0b1110_0000], [0b1100_0100, 0, 0, 0]),
    ] as [([UInt8], [UInt8])]
  )
  func shortFill(packet: [UInt8], cleared: [UInt8]) throws {
    var output: [UInt8] = []
    try packet.withUnsafeBytes { bytes in
      try AACElements.forEachUnit(in: 0..<packet.count, of: ByteSource(bytes)) {
        range,
        disposition in
        switch disposition {
        case .rewritten(let anew, _): output += anew
        default: output += packet[range]
        }
      }
    }
    // The first seven bits are the element's kind and length; the end keeps its bits.
    let contentBits = (packet.count - 2) * 8
    #expect(output.count == packet.count)
    #expect(output[0] == cleared[0])
    var bits = BitReader(output, at: 7)
    for _ in 0..<(contentBits / 8) { #expect(bits.read(8) == 0) }
    #expect(bits.read(3) == 7)
  }
}
