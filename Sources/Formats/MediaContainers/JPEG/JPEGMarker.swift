/// The marker codes of JPEG and their names.
///
/// Source: ITU-T T.81 table B.1.
package enum JPEGMarker {
  /// Define Huffman tables.
  package static let dht: UInt8 = 0xC4
  static let jpg: UInt8 = 0xC8
  /// Define arithmetic coding conditionings.
  package static let dac: UInt8 = 0xCC
  /// Start of image.
  package static let soi: UInt8 = 0xD8
  /// End of image.
  package static let eoi: UInt8 = 0xD9
  /// Start of scan.
  package static let sos: UInt8 = 0xDA
  /// Define quantization tables.
  package static let dqt: UInt8 = 0xDB
  /// Define number of lines.
  package static let dnl: UInt8 = 0xDC
  /// Define restart interval.
  package static let dri: UInt8 = 0xDD
  static let dhp: UInt8 = 0xDE
  static let exp: UInt8 = 0xDF
  /// Application segment 0: JFIF.
  package static let app0: UInt8 = 0xE0
  /// Application segment 1: Exif and XMP.
  package static let app1: UInt8 = 0xE1
  /// Application segment 2: ICC profile and multi-picture index.
  package static let app2: UInt8 = 0xE2
  /// Application segment 11: JUMBF.
  package static let app11: UInt8 = 0xEB
  /// Application segment 13: Photoshop.
  package static let app13: UInt8 = 0xED
  /// Application segment 14: Adobe.
  package static let app14: UInt8 = 0xEE
  /// Comment.
  package static let com: UInt8 = 0xFE
  /// Temporary marker of arithmetic coding.
  package static let tem: UInt8 = 0x01

  /// Returns whether `code` is a restart marker.
  package static func isRestart(_ code: UInt8) -> Bool { code & 0xF8 == 0xD0 }

  /// Returns whether `code` is an application segment.
  package static func isApplication(_ code: UInt8) -> Bool { code & 0xF0 == 0xE0 }

  /// Returns whether the marker has neither length nor parameters.
  static func standsAlone(_ code: UInt8) -> Bool {
    isRestart(code) || code == soi || code == eoi || code == tem
  }

  /// Returns whether decoding may need the segment: it is neither an application segment nor a
  /// comment.
  package static func isNeeded(_ code: UInt8) -> Bool {
    !isApplication(code) && code != com && !standsAlone(code)
  }

  /// Returns whether `code` is any start of frame, including those that no common decoder
  /// supports.
  package static func isFrame(_ code: UInt8) -> Bool {
    code & 0xF0 == 0xC0 && code != dht && code != jpg && code != dac
  }

  /// Returns whether `code` is a start of frame of a picture that is coded by arithmetic.
  package static func isArithmetic(_ code: UInt8) -> Bool { isFrame(code) && code > jpg }

  /// Returns the name of a marker in the specification.
  package static func name(_ code: UInt8) -> String {
    switch code {
    case dht: "DHT"
    case jpg: "JPG"
    case dac: "DAC"
    case 0xC0...0xCF: "SOF\(code & 0x0F)"
    case 0xD0...0xD7: "RST"
    case soi: "SOI"
    case eoi: "EOI"
    case sos: "SOS"
    case dqt: "DQT"
    case dnl: "DNL"
    case dri: "DRI"
    case dhp: "DHP"
    case exp: "EXP"
    case 0xE0...0xEF: "APP\(code & 0x0F)"
    case 0xF0...0xFD: "JPG\(code & 0x0F)"
    case com: "COM"
    case tem: "TEM"
    default: "reserved marker"
    }
  }

  /// Returns the name of a removed segment in `removed`: its marker, followed by its owner when
  /// its identifier is known. It never contains text from the file.
  package static func removedName(_ segment: JPEGSegment, in source: ByteSource) -> String {
    let marker = name(segment.marker)
    guard isApplication(segment.marker) else { return marker }
    if segment.marker == app0, CIFFBlock.isFound(in: segment.body, of: source) {
      return "\(marker) CIFF"
    }
    for (code, identifier, owner) in owners where code == segment.marker {
      let isWhole = segment.body.count >= identifier.utf8.count
      if isWhole, source.holds(identifier, at: segment.body.lowerBound) {
        return "\(marker) \(owner)"
      }
    }
    return marker
  }

  private static let owners: [(marker: UInt8, identifier: String, owner: String)] = [
    (0xE0, "JFIF\0", "JFIF"), (0xE0, "JFXX\0", "JFXX"), (0xE0, "AVI1", "AVI1"),
    (0xE1, "Exif\0", "Exif"), (0xE1, "http://ns.adobe.com/xap/1.0/\0", "XMP"),
    (0xE1, "http://ns.adobe.com/xmp/extension/\0", "ExtendedXMP"),
    (0xE2, "ICC_PROFILE\0", "ICC_PROFILE"), (0xE2, "MPF\0", "MPF"), (0xE2, "FPXR\0", "FPXR"),
    (0xE2, "urn:iso:std:iso:ts:21496:-1\0", "gain map"),
    (0xEB, "JP", "JUMBF"), (0xEB, "HDR_RI", "JPEG-HDR"), (0xEC, "Ducky", "Ducky"),
    (0xED, "Photoshop 3.0\0", "Photoshop"), (0xED, "Adobe_CM\0", "Adobe_CM"),
    (0xEE, "Adobe", "Adobe"),
  ]

  /// Returns a segment: marker, length and a body of at most 65,533 bytes.
  package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + (body.count + 2).bytes(2) + body
  }
}
