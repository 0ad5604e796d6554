import MediaModel
import Testing

@testable import MediaLibrary

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
    // Bursts of older Pixels and Xperias.
    ("XTR_00001_BURST20190407204147.jpg", "2019-04-07T20:41:47"),
    ("DSCPDC_0001_BURST20190407204147123.JPG", "2019-04-07T20:41:47"),
    ("DSCPDC_0001_BURST20190407204147123_COVER.JPG", "2019-04-07T20:41:47"),
    ("00002XTR_00002_BURST20190407204147123.jpg", "2019-04-07T20:41:47"),
    ("BURST20190407204147.jpg", "2019-04-07T20:41:47"),
    ("IMG_20190407_204147_BURST001_COVER.jpg", "2019-04-07T20:41:47"),
    ("IMG-20230704-101530.jpg", "2023-07-04T10:15:30"),
    ("VID-20230704-101530.mp4", "2023-07-04T10:15:30"),
    ("VID-20230704.mp4", "2023-07-04"), ("P20260105-205639.jpg", "2026-01-05T20:56:39"),
    ("P_20190704_101530.jpg", "2019-07-04T10:15:30"),
    ("WIN_20230704_10_15_30_Pro.jpg", "2023-07-04T10:15:30"),
    ("WIN_20140704_101530.JPG", "2014-07-04T10:15:30"),
    ("InShot_20230704_101530123.jpg", "2023-07-04T10:15:30"),
    // Milliseconds and seconds since 1970.
    ("mmexport1562235330123.jpg", "2019-07-04T10:15:30+0"),
    ("FB_IMG_1562235330123.jpg", "2019-07-04T10:15:30+0"),
    ("received_1562235330123.jpeg", "2019-07-04T10:15:30+0"),
    ("RPReplay_Final1562235330.MP4", "2019-07-04T10:15:30+0"),
    ("RPReplay_Final1000000000.MP4", "2001-09-09T01:46:40+0"),
    ("RPReplay_Final0999999999.MP4", nil), ("RPReplay_Final156223533.MP4", nil),
    ("RPReplay_Final1562235330123.MP4", nil), ("received_10156223533012345.jpeg", nil),
    ("received_0562235330123.jpeg", nil),
    // These are no dates.
    ("IMG_1234.JPG", nil), ("DSC_2019.JPG", nil), ("P1010001.JPG", nil), ("GX010704.MP4", nil),
    ("2019-02-29.jpg", nil), ("20191304_101530.jpg", nil),
    ("IMG_20190704_101530_256100.jpg", "2019-07-04T10:15:30"),
    ("20190704_1015301234.jpg", "2019-07-04"), ("201907041.jpg", nil), ("19540704.jpg", nil),
    ("00012345.jpg", nil), ("received_20190704.jpeg", nil), ("harbour 2019-07-04.jpg", nil),
    ("Screenshot (12).png", nil), ("Bildschirmfoto (12).png", nil), ("Screenshots.png", nil),
    ("IMG_20190704_256199.jpg", "2019-07-04"),
    ("", nil), ("Screenshot_", nil), ("2019-07-04 at 25.15.30.png", "2019-07-04"),
  ]

  @Test("A name of a known shape says when, and any other name nothing", arguments: names)
  func name(name: String, date: String?) {
    let parsed = FileNameDate.date(of: Array(name.utf8))
    let text = parsed.map { $0.local + ($0.offsetMinutes.map { "+\($0)" } ?? "") }
    #expect(text == date, "\(name)")
    #expect(parsed?.tag ?? CaptureDate.nameTag == CaptureDate.nameTag)
  }

  /// Names of screenshots and recordings as systems write them, copied from public files; some went through
  /// programs that put spaces or `_` in the place of other characters.
  static let screenshots: [(name: String, date: String)] = [
    ("Schermata 2023-07-04 alle 10.15.30.png", "2023-07-04T10:15:30"),
    ("Capture d\u{2019}écran 2023-07-04 à 10.15.30.png", "2023-07-04T10:15:30"),
    ("Capture d'e\u{301}cran 2023-07-04 a\u{300} 10.15.30.png", "2023-07-04T10:15:30"),
    ("Capture d\u{2019}écran du 2023-07-04 10-15-30.png", "2023-07-04T10:15:30"),
    ("Bildschirmfoto vom 2023-07-04 10-15-30.png", "2023-07-04T10:15:30"),
    ("Captura de Tela 2023-07-04 às 10.15.30.png", "2023-07-04T10:15:30"),
    ("Captura de ecrã 2023-07-04, às 10.15.30.png", "2023-07-04T10:15:30"),
    ("Captura de pantalla 2023-07-04 a la(s) 9.15.30 p.\u{A0}m..png", "2023-07-04T21:15:30"),
    ("Captura desde 2023-07-04 10-15-30.png", "2023-07-04T10:15:30"),
    ("Scherm\u{AD}afbeelding 2023-07-04 om 10.15.30.png", "2023-07-04T10:15:30"),
    ("Schermafdruk van 2023-07-04 10-15-30.png", "2023-07-04T10:15:30"),
    ("Skärmavbild 2023-07-04 kl. 10.15.30.png", "2023-07-04T10:15:30"),
    ("Ska\u{308}rmavbild 2023-07-04 kl  10 15 30.png", "2023-07-04T10:15:30"),
    ("Skærmbillede 2023-07-04 kl. 10.15.30.png", "2023-07-04T10:15:30"),
    ("Skjermbilde 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("Näyttökuva 2023-07-04 kello 10.15.30.png", "2023-07-04T10:15:30"),
    ("Zrzut ekranu 2023-07-04 o 10.15.30.png", "2023-07-04T10:15:30"),
    ("Snímek obrazovky 2023-07-04 v 10.15.30.png", "2023-07-04T10:15:30"),
    ("Snímka obrazovky z 2023-07-04 10-15-30.png", "2023-07-04T10:15:30"),
    ("Képernyőfotó 2023-07-04 - 10.15.30.png", "2023-07-04T10:15:30"),
    ("Captură de ecran 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("Posnetek zaslona 2023\u{2013}07\u{2013}04 ob 10.15.30.png", "2023-07-04T10:15:30"),
    ("Snimka zaslona 2023-07-04 u 10.15.30.png", "2023-07-04T10:15:30"),
    ("Снимок экрана 2023-07-04 в 10.15.30.png", "2023-07-04T10:15:30"),
    ("Знімок екрана 2023-07-04 о 10.15.30.png", "2023-07-04T10:15:30"),
    ("Στιγμιότυπο 2023-07-04, 9.15.30 μ.μ..png", "2023-07-04T21:15:30"),
    ("Ekran Resmi 2023-07-04 8.36.56\u{202F}PM.png", "2023-07-04T20:36:56"),
    ("Ekran görüntüsü 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("スクリーンショット 2023-07-04 10.15.30.png", "2023-07-04T10:15:30"),
    ("スクリーンショット 2023-07-04 午後9.15.30.png", "2023-07-04T21:15:30"),
    ("스크린샷 2023-07-04 오후 9.15.30.png", "2023-07-04T21:15:30"),
    ("스크린샷 2023-07-04 오전 12 15 30.png", "2023-07-04T00:15:30"),
    ("截屏2023-07-04 10.15.30.png", "2023-07-04T10:15:30"),
    ("屏幕快照 2023-07-04 下午9.15.30.png", "2023-07-04T21:15:30"),
    ("屏幕截图 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("螢幕擷取畫面 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("Ảnh màn hình 2023-07-04 lúc 10.15.30.png", "2023-07-04T10:15:30"),
    ("Cuplikan layar 2023-07-04 101530.png", "2023-07-04T10:15:30"),
    ("ภาพถ่ายหน้าจอ 2023-07-04 เวลา 10.15.30.png", "2023-07-04T10:15:30"),
    ("צילום מסך 2023-07-04 ב-10.15.30.png", "2023-07-04T10:15:30"),
    ("لقطة شاشة \u{200F}٢٠٢٣-٠٧-٠٤ في ٩.١٥.٣٠ م.png", "2023-07-04T21:15:30"),
    ("स्क्रीनशॉट 2023-07-04 10.15.30.png", "2023-07-04T10:15:30"),
    ("Screenshot_20230704_101530_Chrome.png", "2023-07-04T10:15:30"),
    ("Captura_de_pantalla_2023-07-04_10-15-30.png", "2023-07-04T10:15:30"),
    ("Screenshot 2023-07-04.png", "2023-07-04"),
  ]

  @Test("A screenshot is one in every language, and its name says when", arguments: screenshots)
  func screenshot(name: String, date: String) {
    #expect(FileNameDate.date(of: Array(name.utf8))?.local == date)
    #expect(FileNameDate.date(of: Array(name.utf8))?.offsetMinutes == nil)
    #expect(FileNameFacts(Array(name.utf8)).isScreenshot)
  }

  @Test(
    "A recording of a screen has a date, and is no screenshot",
    arguments: [
      "Bildschirmaufnahme 2023-07-04 um 10.15.30.mov", "画面収録 2023-07-04 10.15.30.mov",
      "Enregistrement de l\u{2019}écran 2023-07-04 à 10.15.30.mov", "录屏2023-07-04 10.15.30.mov",
      "Screen Recording 2023-07-04 101530.mp4", "Screencast from 2023-07-04 10-15-30.webm",
      "Registrazione schermo 2023-07-04 alle 10.15.30.mov",
    ]
  )
  func recording(name: String) {
    #expect(FileNameDate.date(of: Array(name.utf8))?.local == "2023-07-04T10:15:30")
    #expect(!FileNameFacts(Array(name.utf8)).isScreenshot)
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
      ("20190704_101530_001.jpg", false, "20190704_101530", false),
      ("20190704_101530_0001.jpg", false, nil, nil), ("20190704_101530_00a.jpg", false, nil, nil),
      ("20190704_101530.jpg", false, nil, nil), ("20190704_101530_001_x.jpg", false, nil, nil),
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
