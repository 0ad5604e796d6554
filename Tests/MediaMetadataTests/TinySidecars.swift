import MediaTestSupport

/// Files that describe others, with what each reader takes out of them.
enum TinySidecars {
  /// The adjustments of Apple Photos, in both notations of a property list.
  static let aae: [[UInt8]] = [
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>adjustmentBaseVersion</key><integer>0</integer>
      <key>adjustmentData</key><data>AAAA</data><key>adjustmentEditorBundleID</key>
      <string>com.apple.&#109;obile&amp;slideshow</string><key>adjustmentRenderTypes</key><real>0.5</real>
      <key>adjustmentTimestamp</key><date>2019-07-04T10:15:30Z</date>
      <key>list</key><array><true/><dict><key>a</key><false/></dict></array></dict></plist>
      """.utf8
    ),
    binary,
  ]

  /// A dictionary of a string, a number, data, a date, a list and true.
  private static let binary: [UInt8] = {
    let objects: [[UInt8]] = [
      [0xD3, 1, 2, 3, 4, 5, 6], text("adjustmentData"), text("adjustmentFormatVersion"),
      text("list"), [0x43, 1, 2, 3], text("1.4"), [0xA4, 7, 8, 9, 10], [0x11, 1, 2],
      [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0], [0x09], [0x62, 0, 0x6B, 0x20, 0xAC],
    ]
    var file = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(file.count))
      file += object
    }
    let table = file.count
    file += offsets
    file += [0, 0, 0, 0, 0, 0, 1, 1]
    return file + big(objects.count, 8) + big(0, 8) + big(table, 8)
  }()

  private static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return (count < 15 ? [0x50 | UInt8(count)] : [0x5F, 0x10, UInt8(count)]) + text.utf8
  }

  /// The JSON of a picture and of albums, of several years.
  static let takeout: [[UInt8]] = [
    """
    {"title":"IMG_1.jpg","description":"Boats, \\u00fcnder","imageViews":"3",
    "creationTime":{"timestamp":"1562240000","formatted":"4 Jul 2019, 11:33:20 UTC"},
    "photoTakenTime":{"timestamp":"1562233530","formatted":"x"},"geoData":{"latitude":0.0,"longitude":0.0,
    "altitude":0.0,"latitudeSpan":0.0},"geoDataExif":{"latitude":48.8583736,"longitude":-2.291901E0},
    "people":[{"name":"A"}],"url":"https://photos.google.com/photo/x","favorited":true,"archived":true,
    "trashed":false}
    """,
    """
    {"title":"Rome","description":"","access":"protected","date":{"timestamp":"1562233530"},"location":"",
    "geoData":{"latitude":41.9,"longitude":12,"altitude":-1.5e2}}
    """,
    """
    {"albumData":{"title":"\\ud83d\\ude00 Rome","date":{"timestamp":"0"},"description":null}}
    """,
  ].map { Array($0.utf8) }
}
