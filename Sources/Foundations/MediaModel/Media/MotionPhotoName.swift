/// The name that Google's camera gives a motion photo, and Takeout its movie where that is a file of its own:
/// `PXL_1.MP` beside `PXL_1.MP.jpg` or `PXL_1.jpg`, and `PXL_1.MP~2` beside `PXL_1.MP~2.jpg`.
///
/// Source: exports of Google Photos, as in the names of immich-go's tests (`matcher_test.go`).
package enum MotionPhotoName {
  /// Returns the name without `.MP`, such as `PXL_1` and `PXL_1~2`, which movie and still share.
  ///
  /// - Parameter name: The whole name of a movie, or the name of a still without its extension.
  /// - Returns: Nil for a name that does not end so.
  package static func stem(of name: ArraySlice<UInt8>) -> [UInt8]? {
    var end = name.endIndex
    while end > name.startIndex, name[end - 1].isASCIIDigit {
      end -= 1
    }
    if end > name.startIndex, end < name.endIndex, name[end - 1] == UInt8(ascii: "~") {
      end -= 1
    } else {
      end = name.endIndex
    }
    let start = end - 3
    guard start > name.startIndex, name[start] == .dot,
      name[start + 1] | 0x20 == UInt8(ascii: "m"), name[start + 2] | 0x20 == UInt8(ascii: "p")
    else { return nil }
    return Array(name[..<start] + name[end...])
  }
}
