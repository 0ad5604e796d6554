/// The closed table of what may be wrong with a file, and the closed list of names in its sentences.
enum DamageTable {
  /// The sentences: `%` stands for one of ``names``, `#` for a number. The first that fits counts.
  static let sentences: [String] = """
    # bits a pixel
    EBML of no version
    IDAT that is not one piece
    IHDR: color type, depth, method or interlacing
    JPEG of # bits a sample
    JPEG tables that are not there
    LZW codes that are none
    SOS before SOF
    a DIF block that is not in its place
    a block of unknown kind
    a coded picture that cannot be decoded
    a color profile of a codestream
    a copied range lies outside the file
    a file that would become another one
    a frame of another size
    a frame outside of its canvas
    a frame's flags
    a header with other than one plane
    a list within the data
    a palette of more than 256 colors
    a parameter set of impossible fields
    a picture made from itself
    a picture of another size than its header states
    a picture of impossible size
    a picture of no height
    a picture that is no JPEG
    a property that is not there
    a zlib stream that is malformed
    an empty file
    an iden item of none
    an image with too few pixels
    an impossible LZW code size
    an item that is not there
    avcC with another NAL unit
    bytes between frames
    bytes that are no element
    coded data that ends within a NAL unit
    coded data that ends within an OBU
    data of no length, and bytes behind it
    directories in a loop
    ends before IEND
    ends early
    entropy-coded data of a codestream
    fmt of impossible shape
    grid with too many or too few tiles
    iden of # pictures
    item # is not there
    neither meta nor a sequence of pictures
    no GIF header, or no palette
    no RIFF header that fits
    no VP8, VP8L or VP8X that makes sense
    no WebP header, or no picture
    no picture decodes
    no picture in it, or ends in a block
    no pixels, or no palette for them
    not one codestream
    picture data that are no zlib stream
    picture data that belong to no picture
    pieces of the codestream out of order
    pixels end early
    pixels end early, or do not unpack
    pixels that lie in a directory or a value
    pixels that lie nowhere
    pixels that the picture does not have
    sampling factors
    sound on the page of a header
    stco beside co64
    stsc that does not fit its samples
    tag # is not in the file
    the file ends before its picture does
    too few rows
    two configurations
    two tracks of one number
    % that ends early
    % that end early
    % of impossible length
    % that cannot be
    % that overlap
    no % that makes sense
    % that makes no sense
    a second %
    % of no size
    % with a wrong checksum
    % whose bytes are not in the file
    % ends early or has a wrong checksum
    it ends early; missing: % chunk
    it ends early; missing: % of the movie behind the picture
    it ends early; missing: data of an item (%)
    it ends early; missing: %
    the file ends within %
    a box that does not fit into its %
    an element that does not fit into its %
    JPEG in TIFF with % of impossible length
    no %
    % without %
    """.split { $0 == "\n" }.map(String.init)

  /// What the parts are that a cut or damaged file most often lacks.
  static let meanings = [
    "EOI": "the picture's end", "IEND": "the picture's end", "SOF": "the picture's header",
    "SOF0": "the picture's header", "SOF2": "the picture's header",
    "SOS": "the beginning of the picture's data", "mdat": "the media data",
    "moof": "a part of the file's index",
    "moov": "the file's index",
  ]

  /// What a file of a known format can have: markers, chunks, boxes, elements, and what they make up.
  static let names = Set(
    """
    AAC configuration;ALPH;ANIM;ANMF;APP0;APP1;APP10;APP11;APP12;APP13;APP14;APP15;APP2;APP3;
    APP4;APP5;APP6;APP7;APP8;APP9;Attachments;Block;BlockGroup;CMT1;CMT1 box;COM;COMM;
    Chapters;Cluster;Cues;DAC;DHP;DHT;DNGVersion;DNL;DQT;DRI;EBML;EBML header;EOI;EXIF;EXP;
    Exif;FORM;FORM header;ICCP;IDAT;IEND;IHDR;INFO;Info;JP2;JPEG strips;JPEG tables;JPG;JPG0;
    JPG1;JPG10;JPG11;JPG12;JPG13;JPG2;JPG3;JPG4;JPG5;JPG6;JPG7;JPG8;JPG9;JUNK;LIST;MARK;NAME;
    Opus;OpusHead;PLTE;PNG header;RAF header;RIFF;RIFF header;RST;SOF;
    SOF before the first scan;SOF0;SOF1;SOF10;SOF11;SOF12;SOF13;SOF14;SOF15;SOF2;SOF3;SOF4;
    SOF5;SOF6;SOF7;SOF8;SOF9;SOI;SOS;SSND;STREAMINFO;SeekHead;Segment;SimpleBlock;TEM;
    TIFF header;Tags;TrackEntry;Tracks;VP8;VP8L;VP8X;Void;XMP;a DV frame;a JPEG strip;a block;a chunk;
    a cluster;a codec;a codestream;a color map;a color table;a directory;a first directory;
    a format;a frame;a graphic control;a group;a header;a header of the codestream;a layer;
    a length;a metadata block;a page;a palette;a picture;a picture behind the first;a place;
    a preview;a sample;a scan;a segment;a segment that its index names;a size;a sound format;
    a stream;a strip;a tile;a tile-part;a time;a track;a type;a video format;a whole jp2c;
    acTL;an end;an image;an output;auxC;av01;av1C;avc1;avcC;avih;bKGD;bext;bpcc;brob;
    byte counts;bytes that its header counts;cHRM;cICP;cLLI;cdef;clap;cmap;co64;
    codec private data;coded data;codestream;codestream with a size;colors;colr;cslg;ctts;
    data;data chunk;dinf;directories;directory;dmlh;dref;ds64;eXIf;edts;elst;emsg;
    end of the codestream behind its tiles;esds;fLaC;fact;fcTL;fdAT;fmt;fmt chunk;fragments;
    frames of AAC;frames of MPEG audio;frames that STREAMINFO counts;
    frames that its header counts;free;ftyp;gAMA;grid;grpl;hIST;hdlr;hdrl;hdrl list;header;
    header with a size;hev1;hvc1;hvcC;iCCP;iTXt;idat;iden;idx1;ihdr;iinf;iloc;ilst;image;imir;
    indx;infe;iovl;ipco;ipma;iprp;iref;irot;ispe;ispe property;its configuration;
    its description;its header;its one Tracks;jbrd;jp2c;jp2h;jpeg;jumb;jxlc;jxlp;keys;
    logical screen;lsel;mDCV;mdat;mdhd;mdia;mehd;meta;meta box;mfra;mfro;mime;minf;moof;moov;
    movi;movi list;mp4a;mp4v;mpvd;mvex;mvhd;number or type;odml;pHYs;page;palette;parts;pclr;
    picture;picture data;picture data that end;picture in it;picture in the icon;
    pictures or sound;pitm;pixels;pixi;place for the pixels;pnot;prft;
    primary item of known size;primary picture;program;reserved marker;run lengths;sBIT;sPLT;
    sRGB;saio;saiz;samples;samples that its tables point to;sampling factors;sbgp;scan;sdtp;
    setup header;sgpd;sidx;signature;size;skip;smhd;sound;ssix;stbl;stco;streams;strf;strh;
    strips or tiles;strl;stsc;stsd;stss;stsz;stts;styp;stz2;subs;tEXt;tIME;tRNS;tfdt;tfhd;
    tfra;the data of a fragment;the end of a block;the end of a directory;the end of a frame;
    the end of a packet;the end of a page;tile;tiles;tkhd;tracks;traf;trak;tref;trex;trun;
    udta;user data;unnamed part;uuid;values of a directory;vmhd;vpcC;whole JSON object;whole XMP packet;whole frame;
    whole property list of adjustments;wide;zTXt;
    """.split { $0 == ";" || $0 == "\n" }.map(String.init)
  )
}
