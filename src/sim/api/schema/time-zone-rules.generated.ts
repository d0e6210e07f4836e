// Facts of the IANA time zone database (2025b): the clocks of every zone of time-zones.generated.ts from December 2025 on. Read by kube-controller-manager/cronjob/time-zones.ts.
// A rule is a POSIX TZ without names: hours west of Greenwich, and behind "/" those in summer (one less when empty), its begin and its end as month.week.weekday/hour of the clock in force.
// Behind a blank stand hours since 1970 at which clocks go back by an hour and forth again in turn, for Ramadan, as far as they are foreseen (2037).
export const TIME_ZONE_RULES = `-1
-1/,M3.5.0,M10.5.0/3
-1/0,M10.5.0,M3.5.0/1
-10
-10/,M10.1.0,M4.1.0/3
-10:30/-11,M10.1.0,M4.1.0
-11
-11/,M10.1.0,M4.1.0/3
-12
-12/,M9.5.0,M4.1.0/3
-12:45/,M9.5.0/2:45,M4.1.0/3:45
-13
-14
-2
-2/,M3.4.4/26,M10.5.0
-2/,M3.4.4/50,M10.4.4/50
-2/,M3.5.0,M10.5.0/3
-2/,M3.5.0/0,M10.5.0/0
-2/,M3.5.0/3,M10.5.0/4
-2/,M4.5.5/0,M10.5.4/24
-3
-3:30
-4
-4:30
-5
-5:30
-5:45
-6
-6:30
-7
-8
-8:45
-9
-9:30
-9:30/,M10.1.0,M4.1.0/3
0
0/,M3.5.0/1,M10.5.0
0/-2,M3.5.0/1,M10.5.0/3
1
1/,M3.5.0/0,M10.5.0/1
10
10/,M3.2.0,M11.1.0
11
12
2
2/,M3.5.0/-1,M10.5.0/0
3
3/,M3.2.0,M11.1.0
3:30/,M3.2.0,M11.1.0
4
4/,M3.2.0,M11.1.0
4/,M9.1.6/24,M4.1.6/24
5
5/,M3.2.0,M11.1.0
5/,M3.2.0/0,M11.1.0/1
6
6/,M3.2.0,M11.1.0
6/,M9.1.6/22,M4.1.6/22
7
7/,M3.2.0,M11.1.0
8
8/,M3.2.0,M11.1.0
9
9/,M3.2.0,M11.1.0
9:30
-1 491978 492818 500546 501386 508946 509954 517514 518354 525914 526922 534482 535322 543050 543890 551450 552458 560018 560858 568418 569426 576986 577994 585554 586394 593954 594962`;

/** For each name, in the order of TIME_ZONES, its rule's number as a character, counted from "0" (without "\\" and "`"). */
export const TIME_ZONE_RULE_OF = "1jhBfgC2STTSSSSSXNSE>fP8=1lm9:mNo1TNPNDSSSDTSSSD0DDS0SS=0=Cs1SSDD0sS====D==000S0==0===DSD00SS0SS=0=Yqcc______________c_fY_ic_iccfm_mcfc__fjimf_i_lccSllmgcmfiolg_d^dgccifcdhlgjggjggggmgf_qggjccfogc_icccjl_jiqiadi_gcgggq]jjj^jfg_lgcfcc_jj_ijf_o_ec_^mqcbcccciidgogcocljqmNM34H9__9DUH1DHD8HHHHHDDFMMAKNIPNNNIKDKPFHB?N?MNMNDMP>G8HKJJPIMNNDNN6NNFBMMKHMMPDHHLDM6HPNN6NHFE>KKPMNNNK3M3PLHFWdTVTT1TS]S_4R3R44QO453544QN3R444NRf]_cdjgmboilekSSVXZ[]_cfilnpS0368;<=DFHKMNPSSSSSS11FBT1111B11@121TBTDT=BDBT1T111BD1DB1111B1F11FD1B1B1@FB111BD11B1DKMLDHFHFDFoli;96:3k6;;88ip63XX;<688rZ8Z76ZPn663X3ZX8;3883qYljggXjgmoZ";
