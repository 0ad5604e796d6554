import MediaModel
import Testing

@Suite("Dates in file names")
struct FileNameDateTests {
  /// Names as devices and programs write them, and what they say: the local time, then the offset
  /// where the name tells it.
  static let names: [(name: String, date: String?)] = [
    ("IMG_20190704_101530.jpg", "2019-07-04T10:15:30"),
    ("IMG_20190704_101530_1.jpg", "2019-07-04T10:15:30"),
    ("IMG_20190704_101530123.jpg", "2019-07-04T10:15:30"),
    ("IMG_20190704_101530_HDR.jpg", "2019-07-04T10:15:30"),
    ("IMG_20190704_101530~2.jpg", "2019-07-04T10:15:30"),
    ("IMG20190704101530.jpg", "2019-07-04T10:15:30"),
    ("img_20190704_101530.JPG", "2019-07-04T10:15:30"),
    ("VID_20190704_101530.mp4", "2019-07-04T10:15:30"),
    ("VID20190704101530.mp4", "2019-07-04T10:15:30"),
    ("VID_20190704_101530_00_001.mp4", "2019-07-04T10:15:30"),
    ("MVIMG_20190704_101530.jpg", "2019-07-04T10:15:30"),
    ("PANO_20190704_101530.jpg", "2019-07-04T10:15:30"),
    ("PXL_20210704_081530123.jpg", "2021-07-04T08:15:30+0"),
    ("PXL_20210704_081530123.MP.jpg", "2021-07-04T08:15:30+0"),
    ("PXL_20210704_081530123.PORTRAIT-01.COVER.jpg", "2021-07-04T08:15:30+0"),
    ("00100lPORTRAIT_00100_BURST20190704101530123_COVER.jpg", "2019-07-04T10:15:30"),
    ("00000IMG_00000_BURST20190704101530123_COVER.jpg", "2019-07-04T10:15:30"),
    ("DSC_0001_BURST20190704101530123.JPG", "2019-07-04T10:15:30"),
    ("20190704_101530.jpg", "2019-07-04T10:15:30"),
    ("20190704_101530(0).jpg", "2019-07-04T10:15:30"),
    ("20190704_101530_001.jpg", "2019-07-04T10:15:30"),
    ("20190704-101530.jpg", "2019-07-04T10:15:30"),
    ("2019_0704_101530_001.MP4", "2019-07-04T10:15:30"),
    ("WP_20150704_10_15_30_Pro.jpg", "2015-07-04T10:15:30"),
    ("WP_20150704_001.jpg", "2015-07-04"),
    ("IMG-20190704-WA0003.jpg", "2019-07-04"),
    ("VID-20190704-WA0003.mp4", "2019-07-04"),
    ("PTT-20190704-WA0000.opus", "2019-07-04"),
    ("WhatsApp Image 2019-07-04 at 10.15.30.jpeg", "2019-07-04T10:15:30"),
    ("WhatsApp Image 2019-07-04 at 9.05.07 PM.jpeg", "2019-07-04T21:05:07"),
    ("WhatsApp Image 2019-07-04 at 12.05.07 AM (1).jpeg", "2019-07-04T00:05:07"),
    ("signal-2019-07-04-101530.jpg", "2019-07-04T10:15:30"),
    ("signal-2019-07-04-10-15-30-123.jpg", "2019-07-04T10:15:30"),
    ("photo_2019-07-04_10-15-30.jpg", "2019-07-04T10:15:30"),
    ("photo_17@04-07-2019_10-15-30.jpg", "2019-07-04T10:15:30"),
    ("Screenshot_20190704-101530.png", "2019-07-04T10:15:30"),
    ("Screenshot_20190704-101530_Chrome.jpg", "2019-07-04T10:15:30"),
    ("Screenshot_2019-07-04-10-15-30-123_com.android.chrome.png", "2019-07-04T10:15:30"),
    ("Screenshot 2019-07-04 at 10.15.30.png", "2019-07-04T10:15:30"),
    ("Screenshot 2023-07-04 at 10.15.30\u{202F}PM.png", "2023-07-04T22:15:30"),
    ("Screen Shot 2019-07-04 at 9.05.07 AM.png", "2019-07-04T09:05:07"),
    ("Screenshot 2021-07-04 101530.png", "2021-07-04T10:15:30"),
    ("Screenshot from 2019-07-04 10-15-30.png", "2019-07-04T10:15:30"),
    ("Bildschirmfoto 2019-07-04 um 10.15.30.png", "2019-07-04T10:15:30"),
    ("ScreenRecording_07-04-2024 10-15-30_1.MP4", "2024-07-04T10:15:30"),
    ("Screen_Recording_20190704-101530_App.mp4", "2019-07-04T10:15:30"),
    ("DJI_20230704101530_0001_D.JPG", "2023-07-04T10:15:30"),
    ("dji_fly_20230704_101530_1_1688458530_photo.jpg", "2023-07-04T10:15:30"),
    ("2019-07-04 10.15.30.jpg", "2019-07-04T10:15:30"),
    ("2019-07-04 10.15.30-1.jpg", "2019-07-04T10:15:30"),
    ("2019-07-04T10:15:30Z.jpg", "2019-07-04T10:15:30+0"),
    ("20190704T101530.jpg", "2019-07-04T10:15:30"),
    ("2019-07-04_10-15-30_Rhine.jpg", "2019-07-04T10:15:30"),
    ("2019-07-04 Harbour.jpg", "2019-07-04"),
    ("1954-07-04 Grandma.jpg", "1954-07-04"),
    ("20190704 Harbour.jpg", "2019-07-04"),
    ("Scan_20190704.jpg", "2019-07-04"),
    ("2020-02-29.jpg", "2020-02-29"),
    // These are no dates.
    ("IMG_1234.JPG", nil), ("DSC_2019.JPG", nil), ("P1010001.JPG", nil), ("GX010704.MP4", nil),
    ("2019-02-29.jpg", nil), ("20191304_101530.jpg", nil),
    ("IMG_20190704_101530_256100.jpg", "2019-07-04T10:15:30"),
    ("20190704_1015301234.jpg", "2019-07-04"), ("201907041.jpg", nil), ("19540704.jpg", nil),
    ("00012345.jpg", nil), ("received_20190704.jpeg", nil), ("harbour 2019-07-04.jpg", nil),
    ("FB_IMG_1562235330123.jpg", nil), ("Screenshot (12).png", nil),
    ("IMG_20190704_256199.jpg", "2019-07-04"),
    ("", nil), ("Screenshot_", nil), ("2019-07-04 at 25.15.30.png", "2019-07-04"),
  ]

  @Test("A name of a known shape says when, and any other name nothing", arguments: names)
  func name(name: String, date: String?) {
    let found = FileNameDate.date(of: Array(name.utf8))
    let text = found.map { $0.local + ($0.offsetMinutes.map { "+\($0)" } ?? "") }
    #expect(text == date, "\(name)")
    #expect(found?.tag ?? CaptureDate.nameTag == CaptureDate.nameTag)
  }

  @Test("A name that is no text is read byte by byte, and a long one ends")
  func bytes() {
    #expect(FileNameDate.date(of: Array("IMG_20190704_101530".utf8) + [0xFF, 0x0A])?.local != nil)
    #expect(FileNameDate.date(of: [0xE2, 0x80]) == nil)
    let digits = [UInt8](repeating: UInt8(ascii: "1"), count: 100_000)
    #expect(FileNameDate.date(of: digits) == nil)
  }

  @Test(
    "A name says what else a file is",
    arguments: [
      ("Screenshot_20190704-101530.png", true, nil, nil),
      ("Bildschirmfoto 2019-07-04 um 10.15.30.png", true, nil, nil),
      ("IMG_20190704_101530_BURST001_COVER.jpg", false, "IMG_20190704_101530_BURST", true),
      ("IMG_20190704_101530_BURST002.jpg", false, "IMG_20190704_101530_BURST", false),
      ("00001IMG_00001_BURST20190704101530123.jpg", false, "BURST20190704101530123", false),
      ("00000IMG_00000_BURST20190704101530123_COVER.jpg", false, "BURST20190704101530123", true),
      ("BURSTING.jpg", false, nil, nil), ("shot.png", false, nil, nil),
    ] as [(String, Bool, String?, Bool?)]
  )
  func other(name: String, isScreenshot: Bool, burst: String?, isPick: Bool?) {
    let facts = FileNameFacts(Array(name.utf8))
    #expect(facts.isScreenshot == isScreenshot)
    #expect(facts.burst == burst)
    #expect(facts.isBurstPick == isPick)
  }
}
