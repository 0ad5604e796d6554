import MediaModel
import Testing

@testable import MediaLibrary

/// Names as their programs write them, copied from public files and reports, and names whose numbers are no date.
@Suite("Dates in names of many programs")
struct ProgramNamesTests {
  static let names: [(name: String, date: String)] = [
    ("KakaoTalk_20260405_223421313.png", "2026-04-05T22:34:21"),
    ("KakaoTalk_20201120_233540952_04.jpg", "2020-11-20T23:35:40"),
    ("KakaoTalk_Photo_2021-07-14-21-32-49.jpeg", "2021-07-14T21:32:49"),
    ("KakaoTalk_Photo_2021-07-14-21-32-49 001.jpeg", "2021-07-14T21:32:49"),
    ("KakaoTalk_Video_2023-12-28-15-43-55.mp4", "2023-12-28T15:43:55"),
    ("kakaotalk_1562235330123.jpg", "2019-07-04T10:15:30+0"),
    ("LINE_1562235330123.jpg", "2019-07-04T10:15:30+0"),
    ("LINE_MOVIE_1562235330123.mp4", "2019-07-04T10:15:30+0"),
    ("LINEcamera_share_2015-03-01-12-34-56.JPG", "2015-03-01T12:34:56"),
    ("B612_20170127_172204.jpg", "2017-01-27T17:22:04"),
    ("B612_20241011_182211_278.jpg", "2024-10-11T18:22:11"),
    ("B612Kaji_20190704_101530_123.jpg", "2019-07-04T10:15:30"),
    ("B612咔叽_20190704_101530_123.jpg", "2019-07-04T10:15:30"),
    ("SNOW_20190704_101530_123.jpg", "2019-07-04T10:15:30"),
    ("SODA_20190704_101530_123.jpg", "2019-07-04T10:15:30"),
    ("ksnip_20190704-101530.png", "2019-07-04T10:15:30"),
    ("GMT20190704-101530_Recording_1920x1080.mp4", "2019-07-04T10:15:30+0"),
    ("Standup-20230704_101530UTC-Meeting Recording.mp4", "2023-07-04T10:15:30+0"),
    ("Skype_Picture_2019_07_04T10_15_30_123Z.jpeg", "2019-07-04T10:15:30+0"),
    ("2019-07-04_10-15-30_UTC_1.jpg", "2019-07-04T10:15:30+0"),
    ("20170923_220934000_iOS.jpg", "2017-09-23T22:09:34+0"),
    ("original_d52a1b70_PXL_20210704_081530123.jpg", "2021-07-04T08:15:30+0"),
    ("Copy of PXL_20210704_081530123.LS.mp4", "2021-07-04T08:15:30+0"),
    ("VID_20190704_10_15_30.mp4", "2019-07-04T10:15:30"),
    ("IMG_2019_07_04_10_15_30.jpg", "2019-07-04T10:15:30"),
    ("WhatsApp-Bild 2019-07-04 um 10.15.30.jpg", "2019-07-04T10:15:30"),
    ("Imagem do WhatsApp de 2023-03-01 à(s) 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Imagen de WhatsApp 2023-03-01 a las 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Image WhatsApp 2023-03-01 à 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Immagine WhatsApp 2023-03-01 ore 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp-afbeelding 2023-03-01 om 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Obraz WhatsApp 2023-03-01 o 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Зображення WhatsApp, дата_ 2023-03-01 о 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("Изображение WhatsApp 2023-03-01 в 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp Görsel 2023-03-01 saat 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp 이미지 2023-03-01, 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp 画像 2023-03-01 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp 圖片 2023-03-01，10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("صورة واتساب بتاريخ 2023-03-01 في 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("תמונה של WhatsApp\u{200F} 2023-03-01 בשעה 10.11.12_0a1b2c3d.jpg", "2023-03-01T10:11:12"),
    ("WhatsApp Image 2023-03-01 at 9.11.12 PM.jpeg", "2023-03-01T21:11:12"),
    ("Opera Snapshot_2019-07-04_101530_example.com.png", "2019-07-04T10:15:30"),
    ("CleanShot 2019-07-04 at 10.15.30@2x.png", "2019-07-04T10:15:30"),
    ("vlcsnap-2019-07-04-10h15m30s123.png", "2019-07-04T10:15:30"),
    ("bandicam 2019-07-04 10-15-30-123.mp4", "2019-07-04T10:15:30"),
    ("Desktop 2019.07.04 - 10.15.30.02.mp4", "2019-07-04T10:15:30"),
    ("2019070410153000-F1C11A22FAEE3B82F21B330E1B786A39.jpg", "2019-07-04T10:15:30"),
    ("image-20190704101530123.png", "2019-07-04T10:15:30"),
    ("Pasted image 20190704101530.png", "2019-07-04T10:15:30"),
    ("微信图片_20190704101530.jpg", "2019-07-04T10:15:30"),
    ("QQ图片20190704101530.jpg", "2019-07-04T10:15:30"),
    ("lrm_export_78484498943424_20190714_112405347.jpeg", "2019-07-14T11:24:05"),
    ("Picsart_25-01-29_21-45-03-535.jpg", "2025-01-29T21:45:03"),
    ("Office Lens 20190704-101530.jpg", "2019-07-04T10:15:30"),
    ("image2019-07-04-101530.jpg", "2019-07-04T10:15:30"),
    ("Scannable Document on Jul 4, 2019 at 9_15_30 PM.png", "2019-07-04T21:15:30"),
    ("Adobe Scan Jul 4, 2019.jpg", "2019-07-04"),
    ("Adobe Scan 04 Jul 2019.jpg", "2019-07-04"),
    ("NO20190704-101530-000001F.MP4", "2019-07-04T10:15:30"),
    ("img20190704_10153012.jpg", "2019-07-04T10:15:30"),
    ("2019年07月04日10時15分30秒.jpg", "2019-07-04T10:15:30"),
    ("扫描 2019年7月4日 10时15分30秒.jpg", "2019-07-04T10:15:30"),
    ("스캔 2019년 7월 4일 오후 3시 15분 30초.jpg", "2019-07-04T15:15:30"),
    ("192.168.1.64_01_20190704101530123_MOTION_DETECTION.jpg", "2019-07-04T10:15:30"),
  ]

  @Test(
    "A date with its time is read behind any word, and in UTC where its program writes UTC",
    arguments: names
  )
  func program(name: String, date: String) {
    #expect(Self.text(name) == date, "\(name)")
  }

  @Test("No date is read from numbers that are none, or whose day and month could be exchanged")
  func none() {
    let names = Self.undated.split(separator: "\n")
    #expect(names.count >= 200 && Set(names).count == names.count)
    for name in names { #expect(Self.text(String(name)) == nil, "\(name)") }
  }

  @Test("Words that only begin or end like those for numbers leave a date")
  func otherWords() {
    for word in ["Border", "Telefoto", "Serienbild", "Casino", "Android", "PhotoGrid", "Remember"] {
      #expect(Self.text(word + "_20190704_101530.jpg") == "2019-07-04T10:15:30", "\(word)")
    }
  }

  @Test("A word that the hour contradicts is no half of the day, and a time to the minute leaves the day")
  func remainders() {
    #expect(Self.text("IMG_20190704_131530_am Rhein.jpg") == "2019-07-04T13:15:30")
    #expect(Self.text("Peek 2019-07-04 10-15.gif") == "2019-07-04")
    #expect(Self.text("harbour 2019-07-04 12.jpg") == nil)
    #expect(Self.text("Album_20190704_101530.jpg") == "2019-07-04T10:15:30")
    #expect(Self.text("RE-20190704-101530.jpg") == nil)
    #expect(Self.text("Camera360_2019_7_4_10_15_30_123.jpg") == "2019-07-04T10:15:30")
    #expect(Self.text("2019-07-04 10.15.30 GMT-7.jpg") == "2019-07-04T10:15:30")
  }

  private static func text(_ name: String) -> String? {
    FileNameDate.date(of: Array(name.utf8)).map { $0.local + ($0.offsetMinutes.map { "+\($0)" } ?? "") }
  }

  /// Days and times that there are not; day before month, or the year in two digits; counters of cameras;
  /// identifiers of networks; digests; numbers of phones, orders, bills and things; words.
  private static let undated = #"""
    VID_20191399.mp4
    VID_20191399_101530.mp4
    IMG_20190231_101530.jpg
    IMG-20190431-WA0003.jpg
    20191304_101530.jpg
    Screenshot_20191399-101530.png
    2019-13-04 10.15.30.jpg
    KakaoTalk_20190732_101530123.jpg
    B612_20190004_101530_123.jpg
    PXL_20211399_081530123.jpg
    WhatsApp Image 2019-02-30 at 10.15.30.jpeg
    scan20190700101530.jpg
    IMG_00000000_000000.jpg
    20190229.jpg
    signal-2019-06-31-101530.jpg
    DJI_20231301101530_0001_D.JPG
    ksnip_20190704-256099.png
    SNOW_20190704_249999.jpg
    GMT20190704-246060_Recording.mp4
    image-20190704106199.png
    CamScanner 07-04-2019 10.15.jpg
    CamScanner 04-07-2019 10.15.30.jpg
    New Doc 07-04-2019 10.15.30_1.jpg
    Photo 04-07-2019 10 15 30.jpg
    Foto 04.07.19, 10 15 30.jpg
    Photo on 7-4-19 at 10.15 AM.jpg
    Photo-20-03-13-11-04-25-0.JPG
    04072019_101530.jpg
    XRecorder_04072019_101530.mp4
    07042019101530.jpg
    0704191015.jpg
    0704191015a.jpg
    190704_101530.jpg
    190704_101530_001_FH.MP4
    FILE190704-101530F.MP4
    09-12-19 17-51-45 0014.jpg
    17-06-01 16-04-02 0001.jpg
    PicsArt_07-04-10.15.30.jpg
    DOC070419-07042019101530.jpg
    04-07-2019-101530.jpg
    Snapchat-100-10-20-19-15-12.jpg
    SKM_C224e19070410150.jpg
    04072019123.jpg
    LINE_ALBUM_20190703_190704_1.jpg
    LINE_ALBUM_829和歌山_231003_1.jpg
    LINE_ALBUM_2025秋_251221_1.jpg
    M3-Sedan_221025_2-768x329.jpg
    12_11_2010_HIGH_RES.jpg
    holiday 4-7-2019.jpg
    Fri 04 07 19.jpg
    IMG_1234.JPG
    IMG_20190.JPG
    IMG_2019.JPG
    DSC_2019.JPG
    DSCN2019.JPG
    DSC02019.JPG
    P1010001.JPG
    P7040001.JPG
    GX010704.MP4
    GOPR2019.MP4
    _MG_2019.CR2
    100_1990.JPG
    CIMG2019.JPG
    SAM_2019.JPG
    IMAG0704.jpg
    CAM00001.mp4
    MVI_2019.AVI
    PICT0704.JPG
    DSCF2019.RAF
    SANY0704.MP4
    00012345.jpg
    20190.jpg
    IMG_0704 (2019).jpg
    Image (20190704).jpg
    MAH02019.MP4
    M2U01990.MPG
    C0001.MP4
    DJI_0704.JPG
    R0012019.JPG
    L1002019.DNG
    received_10156223533012345.jpeg
    received_1015622353301234.jpeg
    received_20190704.jpeg
    Snapchat-431959199.mp4
    Snapchat-2019070410.jpg
    10152345678_10153456789_n.jpg
    20190704_10153012345678901_n.jpg
    20031213_1015512345678901_1234567890_o.jpg
    41207895_201907041015301_1234567890123456_n.jpg
    FB_IMG_156223533.jpg
    mmexport15622353301.jpg
    RPReplay_Final0999999999.MP4
    received_m_mid_1418563290123.jpeg
    IMG-7f83b1657ff1fc53b92dc18148a1d65d-V.jpg
    telegram-cloud-photo-size-4-5922345678901234567-y.jpg
    file_20190704.jpg
    v09044g40000ce201907041015301ab.mp4
    ssstik.io_7123456789012345678.mp4
    unnamed (2019).jpg
    attachment-20190704.jpeg
    EWxY20190704xAbZ.jpg
    GOAwF74aMAAC6KH.jpg
    16859_201907041015301_n.jpg
    D_20190704abcd101530.jpg
    snapinsta_20190704_1562235330.jpg
    t51.2885-15_20190704_4.jpg
    v2-201907041015301b2c3d4.jpg
    e15_101530_20190704.jpg
    photo_201907041.jpg
    AQMkADAwATM0MDAAMS0yMDE5.jpg
    b6864edf273b0d661bfc9b47fff2a0f5e2e9e6d7bb76c8e0fa871eb76b14b23d.jpg
    2dabd364013897cccceb7b1526cffb689610f8202cff6b4a8c387525982ad437.jpg
    44f53bd737577450478c9be340f9bc77938f17c3df08ccdaf99144425dce9412.jpg
    847afbbaf422d2eb96c14579268ca37fe2ae83744eddc31ead995f0dd3d00974.jpg
    d467a289c3ad342189286a29fecf76b31bb12fee78ad1225f830663e0096a299.jpg
    4d597ddcdf9af392fba7f27880b4732ecc81ff15bb1b090887061c932b73f21b.jpg
    52c0ec467cd0da5dd13bc4a097e9d404906fc19fff8a0418d070c3acfde5ce10.jpg
    3c6919b670b4abbd5f01da94c7ac0bfe6b9094b9894492befc807375290ac595.jpg
    063e36c7249760b0bbb742ef7ae54885948d45b43240800870dda84a56d9ce57.jpg
    20782ca029a3066251c96f4e1ec52cc879a63b14373903390c679e5b750efa3d.jpg
    905aeede01b30fca0d05cf7d6b091e5ff618c22352bb0cb67db9e560ed7549df.jpg
    e6148d4a7954447a4f87a488b0dfaa4493af2ec3fce493b4db5d836790f53156.jpg
    f1df9ceba0c4c8c81db0d7100f32f9ccec5ba500590ddb2afc52d6a1fb9a28cd.jpg
    9fb9bf0324fe09d7bea6344a84a4e0844d85a3374b6c64627bc511a4e48518f5.jpg
    0cc5c816c0b77a4dcb5f4c41d600d71a0bf34857aa1d55f3acdd0db0c623fb29.jpg
    4c79dcd0ab027c68c4b5bebc79c11763465a62e6c94f7666ff682ee42b1b7340.jpg
    d263d24b4b83eeb0adf98bfc28992e65.png
    1b11c532737a6fc359bc0b4897c0c808.png
    320a54a4d99041cbc3cd34e675c29a5e.png
    9d1311f891f28eaf434c23e957a4abc8.png
    618998c7aba287440474c7d0afa68bb2.png
    33221f1ba490ca1cbd7124961def4d91.png
    b75fe39bd1470b084cdcaada68be9725.png
    a8b2f5ff20cdb6eadbfdd833e24486fd.png
    20190704101530ab34cd56ef7890ab12.jpg
    3fab20190704101530.jpg
    a20190704101530b.jpg
    201907041015301a2b3c4d.jpg
    ab20190704ef101530.jpg
    d41d8cd98f00b20420190704.jpg
    20190704-1015-4a30-8bcd-1234567890ab.jpg
    d3b20190-7041-4015-b301-201907041015.jpg
    6BA7B810-9DAD-11D1-80B4-00C04FD430C8.jpg
    9EA02E90-1063-4948-8CEA-6366ADF15FE5.jpg
    7a457568778e2791434752196171660.jpg
    00000000-0000-2019-0704-101530123456.jpg
    +4915112345678.jpg
    +49 151 20190704.jpg
    tel_20190704_101530.jpg
    Phone 2019-0704-101.jpg
    +1-201-907-0410.png
    0049 2019 070410.jpg
    00491512345678.jpg
    contact 4920190704101.jpg
    tel-2019-07-04-101530.jpg
    fax_20190704101530.tif
    1-800-2019-0704.jpg
    Anruf +491520190704.jpg
    order-4915112345678.jpg
    order_20190704_101530.jpg
    OrderID20190704101530.jpg
    Order #20190704-101530.jpg
    #20190704101530.jpg
    Bestellnummer 20190704101530.jpg
    Auftragsnummer 20190704-101530.jpg
    beställning 20190704-101530.jpg
    zamówienie_20190704_101530.jpg
    sipariş_20190704_101530.jpg
    заказ_20190704_101530.jpg
    Счёт №20190704-101530.jpg
    № 20190704-101530.jpg
    nº 20190704-101530.jpg
    订单20190704101530.jpg
    订单号_20190704101530123.jpg
    快递单号20190704101530.jpg
    注文番号20190704101530.jpg
    請求書_20190704_101530.jpg
    주문번호 20190704101530.jpg
    Rechnungsnr. 20190704101530.jpg
    invoices-20190704-101530.jpg
    InvoiceNo20190704101530.jpg
    Kundennummer 20190704101530.jpg
    Seriennummer 20190704101530.jpg
    telefon 20190704 101530.jpg
    téléphone 20190704 101530.jpg
    20190704a1b2c3d4e5f60718293a4b5c6d7e8f90.jpg
    Order 20190704-123456.png
    order-20190704.jpg
    Order#20190704101530.jpg
    ORD-20190704-000123.jpg
    Bestellung_20190704_123456.jpg
    Bestellung 2019-07-04 101530.png
    PO-20190704-101530.jpg
    pedido_20190704101530.jpg
    commande 20190704 101530.jpg
    INV-20190704-000042.jpg
    invoice_20190704_101530.jpg
    Invoice 20191399.jpg
    Invoice-2019070412.png
    invoice_2019-0704-12.jpg
    Rechnung_20190704_123456.jpg
    Rechnung 20190704.jpg
    Rechnung_2019070410.jpg
    RE-20190704123.jpg
    Rg 2019-0704.jpg
    factura_20190704_000001.jpg
    Fattura 20190704101530.jpg
    faktura-20190704-101530.jpg
    ticket_20190704_101530.png
    case-20190704-101530.jpg
    Case 20190704101530.jpg
    ref 20190704 101530.jpg
    REF20190704-101530.jpg
    id_20190704101530.jpg
    customer 20190704-101530.jpg
    Kunde_20190704_101530.jpg
    iban DE02120300000000202051.jpg
    ISBN 978-2-0190-7041-0.jpg
    isbn_9782019070410.jpg
    EAN 2019070410153.jpg
    ean_20190704.jpg
    SN20190704-101530.jpg
    serial 20190704101530.jpg
    IMEI 201907041015301.jpg
    tracking_20190704101530.jpg
    1Z20190704101530.jpg
    JD0146000020190704101530.jpg
    RB201907041CN.jpg
    account 20190704 101530.jpg
    Konto_20190704_101530.jpg
    policy-20190704-101530.jpg
    claim_20190704_101530.jpg
    4111111111111111.jpg
    4111-2019-0704-1015.jpg
    AB 20190704 12.jpg
    VIN WBA3A5C57CF256651.jpg
    part 2019-0704.jpg
    lot 201907041015.jpg
    batch 20190704101.jpg
    model 1990-2019.jpg
    v2019.7.4.png
    build 2019.0704.1015.png
    Harbour 2019.jpg
    harbour 2019-07-04.jpg
    summer 2019 0704.jpg
    1920x1080.jpg
    3840x2160_2019.jpg
    page 2019 of 2100.jpg
    Screenshot (12).png
    Screenshots.png
    Chapter 07 04.jpg
    10.15.30.jpg
    101530.jpg
    part 10-15-30.jpg
    2019_07.jpg
    1990-2020.jpg
    Scan 12.jpg
    scan0001.jpg
    img20190704.jpg
    wallpaper-20190704.jpg
    12345678_123456.jpg
    98765432_101530.jpg
    map 48.858370_2.294481.jpg
    48.8583,20190704.jpg
    2019-07.jpg
    Bild 2019-7.jpg
    """#
}
