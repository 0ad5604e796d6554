internal import MediaSyntax

/// How a film of all around is shown, as the first format of spherical video says it, and nothing else
/// of its packet: neither the view at the start, times, numbers of cameras nor names of programs.
///
/// Source: Google, "Spherical Video RFC" (the `uuid` box of a track), "Spherical Video V2 RFC".
package struct SphericalVideo: Sendable, Equatable {
  /// The pictures of both eyes, as `st3d` counts them: 1 is one above the other, 2 side by side; 0 is a
  /// film for one eye.
  package let stereoMode: Int
  /// What the film lacks of the whole sphere at the top, the bottom, the left and the right, in units
  /// of 2 to the power of -32; zeros for a whole sphere.
  package let bounds: [Int]

  /// Reads a packet; nil unless it says that the film is spherical and equirectangular, which is the
  /// only projection of the first format.
  package init?(_ packet: [UInt8]) {
    let values = Self.values(of: packet)
    guard values["spherical"] == "true", values["stitched"] != "false",
      values["projectiontype"] == "equirectangular"
    else { return nil }
    let modes = ["top-bottom": 1, "left-right": 2]
    stereoMode = values["stereomode"].flatMap { modes[$0] } ?? 0
    func outside(_ size: String, _ start: String) -> [Int]? {
      func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
      guard let whole = number("fullpano\(size)pixels"),
        let shown = number("croppedareaimage\(size)pixels"),
        let first = number("croppedarea\(start)pixels"), (1..<1 << 24).contains(whole),
        (1...whole).contains(shown), (0...whole - shown).contains(first)
      else { return nil }
      return [first, whole - shown - first].map { ($0 << 32) / whole }
    }
    let rows = outside("height", "top")
    let columns = outside("width", "left")
    bounds = rows.flatMap { rows in columns.map { rows + $0 } } ?? [0, 0, 0, 0]
  }

  /// The texts of the elements right below the first one by their names in small letters, whatever
  /// prefix they have.
  private static func values(of packet: [UInt8]) -> [String: String] {
    var tokenizer = XMLTokenizer(packet, normalizesLineEnds: false, maximumTokenCount: 1000)
    var values: [String: String] = [:]
    var names: [String] = []
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start(let name, _, let isEmpty):
        if !isEmpty { names.append(name) }
      case .end: _ = names.popLast()
      case .text(let text) where names.count == 2:
        let name = names[1].split(separator: ":").last.map { $0.lowercased() } ?? ""
        values[name, default: ""] += text.lowercased().filter { !$0.isWhitespace }
      default: break
      }
    }
    return values
  }
}
